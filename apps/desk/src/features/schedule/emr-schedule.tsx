import { LoadState } from '@clinic/app/outcome';
import type { ApiDiffering, ApiOutsideEmr } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { formatTime, deskPages } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { DataTable } from '../../shared/data-table.tsx';
import { ask, liveQuery } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { emrQuery } from '../../shared/emr-line.tsx';
import { Section } from '../../shared/section.tsx';
import { locale, t } from '../../shared/words.ts';
import { callText } from './affected.tsx';
import styles from './schedule.module.css';

/** Whom a schedule that changed in the EMR concerns, and what does not stand there as here. */
const outsideQuery = liveQuery(
  ['outside-emr'],
  async (how) => (await ask('deskOutsideEmr', {}, how)).extras,
  { gcTime: 0 },
);

/** The schedule that the EMR keeps: reading it now, and who is booked where it has closed. */
export function EmrSchedule() {
  const shown = useQuery(emrQuery);
  const { data: emr = null } = shown;
  if (shown.isLoadingError) return <LoadState of={shown} />;
  return emr === null ? null : <Read outside={emr.outside} differs={emr.differs ?? 0} />;
}

function Read({ outside, differs }: { outside: number; differs: number }) {
  const [said, say] = useSaid();
  const read = useAction({
    work: () => ask('deskReadEmr', { body: {} }),
    onDone: ({ extras: { days } }) => say(t(days > 0 ? 'desk.emr.isRead' : 'desk.emr.isFresh')),
    shows: [],
  });
  return (
    <Section title={t('desk.emr.title')} about={t('desk.emr.about')} isCard>
      <div>
        <Button
          variant="secondary"
          busy={read.pending}
          busyLabel={t('desk.emr.reading')}
          onClick={() => read.run()}
        >
          {t('desk.emr.readNow')}
        </Button>
      </div>
      {said}
      <Outcome of={read} />
      {outside === 0 && <p>{t('desk.emr.outsideNone')}</p>}
      {outside + differs > 0 && <ToSeeTo />}
    </Section>
  );
}

function ToSeeTo() {
  const shown = useQuery(outsideQuery);
  if (shown.data === undefined) return <LoadState of={shown} />;
  const { outside, differs = [] } = shown.data;
  return (
    <>
      {outside.length > 0 && (
        <>
          <p className={styles.call}>{t('desk.emr.outsideAbout')}</p>
          <Listed caption={t('desk.emr.outside')} rows={outside} />
        </>
      )}
      {differs.length > 0 && (
        <>
          <p className={styles.call}>{t('desk.emr.differingAbout')}</p>
          <Listed caption={t('desk.emr.differing')} rows={differs} says={whyText} />
        </>
      )}
    </>
  );
}

const whyText = ({ other }: ApiDiffering) =>
  other === null
    ? t('desk.emr.lacking')
    : t('desk.emr.overlapped', { from: formatTime(other.start), to: formatTime(other.end) });

interface ListedProps<Row> {
  caption: string;
  rows: readonly Row[];
  /** What the EMR has of it, in a column of its own. */
  says?: (row: Row) => string;
}

function Listed<Row extends ApiOutsideEmr>({ caption, rows, says }: ListedProps<Row>) {
  return (
    <DataTable
      caption={caption}
      showCaption
      columns={[
        t('desk.time'),
        t('desk.patient'),
        says !== undefined && t('desk.emr.inEmr'),
        t('desk.provider'),
        t('desk.type'),
        t('desk.week.reach'),
      ]}
      rows={rows.map((row) => {
        const { appointmentId, patient, phone, provider, description, date, start } = row;
        const when = formatMoment(locale(), start);
        return (
          <tr key={appointmentId}>
            <td>
              <Link
                href={pathTo(deskPages.day, { date }, { appointment: appointmentId })}
                aria-label={t('desk.emr.open', { when, patient })}
              >
                {when}
              </Link>
            </td>
            <th scope="row">{patient}</th>
            {says && <td>{says(row)}</td>}
            <td>{provider}</td>
            <td>{description}</td>
            <td>{callText(phone)}</td>
          </tr>
        );
      })}
    />
  );
}
