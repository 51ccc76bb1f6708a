import { clinicNow } from '@clinic/app/clock';
import { pathTo } from '@clinic/app/path-to';
import { addDays, deskPages, isWholeDay, toClinic } from '@clinic/domain';
import { formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { EmptyState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { dayQuery } from '../../shared/api.ts';
import { locale, t } from '../../shared/words.ts';
import { inOrder, shownOf, useArrangement } from './arrangement.ts';
import { ArrangeDialog, CancelledDialog } from './parts-later.tsx';
import { SheetPage } from './sheet-page.tsx';

/** The sheet of a day, with a column for each provider. */
export function DayPage({ date }: { date: string }) {
  const [, goTo] = useLocation();
  const [search] = useSearchParams();
  const [shows, setShows] = useState<'providers' | 'cancelled'>();
  const arrangement = useArrangement();
  const query = dayQuery(date);
  const day = useQuery(query).data?.[0];
  if (!isWholeDay(date)) return <EmptyState>{t('desk.notFound')}</EmptyState>;
  const pathOf = (next: string) => pathTo(deskPages.day, { date: next });
  const providers = inOrder(day?.providers ?? [], arrangement);
  const shown = shownOf(providers, arrangement, search.get('appointment'));
  const { hours = null } = day ?? {};
  const leave = () => setShows(undefined);
  return (
    <SheetPage
      title={formatFullDate(locale(), date)}
      label={t('desk.sheet')}
      query={query}
      empty={t('desk.nobodyWorks')}
      columns={
        hours === null
          ? []
          : shown.map((provider) => ({
              ...hours,
              id: provider.id,
              name: provider.name,
              href: pathTo(deskPages.providerWeek, { providerId: provider.id, date }),
              leadsTo: t('desk.weekOf', { name: provider.name }),
              provider,
            }))
      }
      steps={[
        { name: t('desk.previousDay'), to: pathOf(addDays(date, -1)) },
        { name: t('desk.today'), to: pathOf(toClinic(clinicNow()).date) },
        { name: t('desk.nextDay'), to: pathOf(addDays(date, 1)) },
      ]}
      date={date}
      onDate={(next) => goTo(pathOf(next))}
    >
      {(book) => (
        <>
          <Button
            variant="secondary"
            icon={<Printer size={18} aria-hidden="true" />}
            onClick={() => goTo(pathTo(deskPages.print, { date }))}
          >
            {t('desk.print')}
          </Button>
          <Button variant="secondary" onClick={() => setShows('providers')}>
            {shown.length < providers.length
              ? t('desk.providersOf', { n: shown.length, of: providers.length })
              : t('desk.providers')}
          </Button>
          <Button variant="secondary" onClick={() => setShows('cancelled')}>
            {t('desk.cancelledList')}
          </Button>
          {shows === 'providers' && <ArrangeDialog providers={providers} onClose={leave} />}
          {shows === 'cancelled' && (
            <CancelledDialog
              date={date}
              onBook={
                book &&
                ((of) => {
                  leave();
                  book(of);
                })
              }
              onClose={leave}
            />
          )}
        </>
      )}
    </SheetPage>
  );
}
