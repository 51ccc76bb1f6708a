import { LoadState } from '@clinic/app/outcome';
import type { ApiClosing } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { deskPages } from '@clinic/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { DataTable } from '../../shared/data-table.tsx';
import { Page } from '../../shared/page.tsx';
import { Section } from '../../shared/section.tsx';
import { t } from '../../shared/words.ts';
import { CloseTime } from './close-time.tsx';
import { EmrSchedule } from './emr-schedule.tsx';
import { Holidays } from './holidays.tsx';
import { closingsQuery, spanText, whoText } from '../../shared/schedule-data.ts';
import styles from './schedule.module.css';

/** Providers' schedules: closing time, and the list of closings. */
export function SchedulePage() {
  const shown = useQuery(closingsQuery);
  return (
    <Page title={t('desk.screen.schedule')}>
      <LoadState of={shown} />
      {shown.data && (
        <>
          <EmrSchedule />
          <CloseTime providers={shown.data.providers} />
          <Closings {...shown.data} />
          <Holidays providers={shown.data.providers} />
          <Weeks providers={shown.data.providers} />
        </>
      )}
    </Page>
  );
}

function Weeks({ providers }: Pick<ClosingsProps, 'providers'>) {
  return (
    <Section title={t('desk.weeks.title')} about={t('desk.weeks.about')} isCard>
      <ul className={styles.links}>
        {providers.map(({ id, name }) => (
          <li key={id}>
            <Link href={pathTo(deskPages.week, { providerId: id })}>{name}</Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface ClosingsProps {
  providers: readonly { readonly id: string; readonly name: string }[];
  closings: readonly ApiClosing[];
}

function Closings({ providers, closings }: ClosingsProps) {
  return (
    <Section title={t('desk.closings.title')} isCard>
      {closings.length === 0 ? (
        <p>{t('desk.closings.none')}</p>
      ) : (
        <DataTable
          caption={t('desk.closings.title')}
          showCaption
          columns={[
            t('desk.closings.time'),
            t('desk.closings.who'),
            t('desk.closings.by'),
            t('desk.closings.state'),
          ]}
          rows={closings.map(
            ({ id, from, to, providerIds, askedBy, doneAt, known, total, reopened }) => (
              <tr key={id}>
                <th scope="row">
                  <Link href={pathTo(deskPages.closing, { id })}>{spanText({ from, to })}</Link>
                </th>
                <td>{whoText(providerIds, providers)}</td>
                <td>{askedBy ?? t('desk.closings.operator')}</td>
                <td>
                  {doneAt === null
                    ? t('desk.closings.progress', { known, total })
                    : t('desk.closings.done', { n: total })}
                  {reopened !== null && ` ${t('desk.closings.reopened')}`}
                </td>
              </tr>
            ),
          )}
        />
      )}
    </Section>
  );
}
