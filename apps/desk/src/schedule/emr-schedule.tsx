import type { ApiOutsideEmr } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { FailedState } from '@clinic/ui/page-states';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask } from '../api.ts';
import { Failed, useDeskAction, useSaid } from '../desk-action.tsx';
import { emrQuery } from '../emr-line.tsx';
import { locale, t } from '../words.ts';
import { callText } from './affected.tsx';
import styles from './schedule.module.css';
import { ScrollingTable } from './scrolling-table.tsx';

/** Whom a schedule that changed in the EMR concerns. Refetches of the open page run in the background. */
const outsideQuery = queryOptions({
  queryKey: ['outside-emr'],
  queryFn: async ({ client: queries, queryKey }) => {
    const background = queries.getQueryData(queryKey) !== undefined;
    return (await ask('deskOutsideEmr', {}, { background })).extras.outside;
  },
  // Dropped when the page closes, so that opening it again counts as a look.
  gcTime: 0,
  meta: { live: true },
});

/** The schedule that the EMR keeps: reading it now, and who is booked where it has closed. */
export function EmrSchedule() {
  const { data: emr = null } = useQuery(emrQuery);
  return emr === null ? null : <Read outside={emr.outside} />;
}

function Read({ outside }: { outside: number }) {
  const [said, say] = useSaid();
  const read = useDeskAction({
    work: () => ask('deskReadEmr', { body: {} }),
    onSuccess: ({ extras: { days } }) => say(t(days > 0 ? 'desk.emr.isRead' : 'desk.emr.isFresh')),
    shows: [],
  });
  return (
    <section className={styles.section} aria-labelledby="emr">
      <h2 id="emr">{t('desk.emr.title')}</h2>
      <p className={styles.about}>{t('desk.emr.about')}</p>
      <div>
        <Button
          variant="secondary"
          busy={read.isPending}
          busyLabel={t('desk.emr.reading')}
          onClick={() => {
            if (!read.isPending) read.mutate();
          }}
        >
          {t('desk.emr.readNow')}
        </Button>
      </div>
      {said}
      <Failed of={read} />
      {outside === 0 ? <p>{t('desk.emr.outsideNone')}</p> : <ToCall />}
    </section>
  );
}

function ToCall() {
  const shown = useQuery(outsideQuery);
  if (shown.data === undefined)
    return shown.isError ? (
      <FailedState onRetry={() => void shown.refetch()} busy={shown.isFetching}>
        {shown.error.message}
      </FailedState>
    ) : null;
  return (
    <>
      <p className={styles.call}>{t('desk.emr.outsideAbout')}</p>
      <ScrollingTable caption={t('desk.emr.outside')}>
        <thead>
          <tr>
            <th scope="col">{t('desk.close.when')}</th>
            <th scope="col">{t('desk.close.patient')}</th>
            <th scope="col">{t('desk.close.provider')}</th>
            <th scope="col">{t('desk.close.type')}</th>
            <th scope="col">{t('desk.week.reach')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.data.map((each) => (
            <Row key={each.appointmentId} {...each} />
          ))}
        </tbody>
      </ScrollingTable>
    </>
  );
}

function Row({ appointmentId, patient, phone, provider, description, date, start }: ApiOutsideEmr) {
  const when = formatMoment(locale, start);
  return (
    <tr>
      <td>
        <Link
          href={`/day/${date}?appointment=${appointmentId}`}
          aria-label={t('desk.emr.open', { when, patient })}
        >
          {when}
        </Link>
      </td>
      <th scope="row">{patient}</th>
      <td>{provider}</td>
      <td>{description}</td>
      <td>{callText(phone)}</td>
    </tr>
  );
}
