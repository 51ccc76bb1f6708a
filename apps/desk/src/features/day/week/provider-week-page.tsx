import { pathTo } from '@clinic/app/path-to';
import { useClinicMinute } from '@clinic/app/use-clock';
import { addDays, deskPages, isWholeDay, mondayOf, toClinic } from '@clinic/domain';
import { formatDay, formatFullDate } from '@clinic/texts';
import { EmptyState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { weekQuery } from '../../../shared/api.ts';
import { locale, t } from '../../../shared/words.ts';
import { SheetPage } from '../sheet-page.tsx';

/** The week of a provider that a day is in, with a column for each day. */
export function ProviderWeekPage({ providerId, date }: { providerId: string; date: string }) {
  return isWholeDay(date) ? (
    <Week providerId={providerId} date={date} />
  ) : (
    <EmptyState>{t('desk.notFound')}</EmptyState>
  );
}

function Week({ providerId, date }: { providerId: string; date: string }) {
  const [, goTo] = useLocation();
  const today = toClinic(useClinicMinute()).date;
  const monday = mondayOf(date);
  const query = weekQuery(providerId, monday);
  const days = useQuery(query).data ?? [];
  const pathOf = (next: string) => pathTo(deskPages.providerWeek, { providerId, date: next });
  const [first] = days.flatMap(({ providers }) => providers);
  return (
    <SheetPage
      title={
        first
          ? t('desk.sheetOfWeek.title', { name: first.name, day: formatDay(locale(), monday) })
          : t('desk.sheetOfWeek.sheet')
      }
      label={t('desk.sheetOfWeek.sheet')}
      query={query}
      empty={t('desk.sheetOfWeek.nobodyWorks')}
      columns={days.flatMap(({ date: on, hours, providers: [provider] }) =>
        provider && hours && hours.end > hours.start
          ? [
              {
                ...hours,
                id: on,
                name: formatDay(locale(), on),
                href: pathTo(deskPages.day, { date: on }),
                leadsTo: formatFullDate(locale(), on),
                isMarked: on === today,
                provider,
              },
            ]
          : [],
      )}
      steps={[
        { name: t('desk.sheetOfWeek.previous'), to: pathOf(addDays(monday, -7)) },
        { name: t('desk.sheetOfWeek.this'), to: pathOf(today) },
        { name: t('desk.sheetOfWeek.next'), to: pathOf(addDays(monday, 7)) },
      ]}
      date={date}
      onDate={(next) => goTo(pathOf(next))}
    />
  );
}
