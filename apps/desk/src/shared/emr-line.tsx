import type { ApiEmr } from '@clinic/contract';
import { formatTime, deskPages } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Notice } from '@clinic/ui/notice';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask, liveQuery } from './api.ts';
import { useMay } from './may.ts';
import { locale, t } from './words.ts';

const LOOK_EVERY_MS = 60_000;

/** How the EMR stands to the service; null where the clinic has none. */
export const emrQuery = liveQuery(
  ['emr'],
  async (how) => (await ask('deskEmr', {}, how)).extras.emr,
  { refetchInterval: ({ state: { data } }) => (data === null ? false : LOOK_EVERY_MS) },
);

const TO_SEE_TO = [
  ['outside', 'toCall', 'look'],
  ['differs', 'differ', 'lookDiffering'],
] as const;

/** Above every page: what of the EMR wants somebody's attention. */
export function EmrLine() {
  const { data: emr = null } = useQuery(emrQuery);
  const may = useMay();
  return (
    <div role="log" aria-label={t('desk.emr.log')}>
      {emr !== null && emr.kind !== 'answers' && (
        <Notice kind="danger" title={whatIsWrong(emr)}>
          {emr.isBookingPaused && <p>{t('desk.emr.paused')}</p>}
          <p>
            {t('desk.emr.asOf', { time: formatTime(emr.asOf) })} {cureOf(emr)}
          </p>
        </Notice>
      )}
      {emr?.ending.map(({ key, endsAt }) => (
        <Notice
          key={key}
          kind="caution"
          title={t('desk.emr.ending', {
            key: t(`desk.emr.${key}`),
            when: formatMoment(locale(), endsAt),
          })}
        >
          <p>{t('desk.emr.cure')}</p>
        </Notice>
      ))}
      {may('seeSchedule') &&
        TO_SEE_TO.map(([what, says, looks]) => {
          const n = emr?.[what] ?? 0;
          return (
            n > 0 && (
              <Notice key={what} kind="caution" title={t(`desk.emr.${says}`, { n })}>
                <p>
                  {t(`desk.emr.${says}About`)}{' '}
                  <Link href={deskPages.schedule}>{t(`desk.emr.${looks}`)}</Link>
                </p>
              </Notice>
            )
          );
        })}
    </div>
  );
}

function whatIsWrong({ kind, refused, since }: ApiEmr): string {
  const time = formatTime(since);
  const [key] = refused;
  if (kind === 'silent') return t('desk.emr.silent', { time });
  if (key === undefined) return t('desk.emr.refused', { time });
  const keys = t(refused.length > 1 ? 'desk.emr.both' : `desk.emr.${key}`);
  return t('desk.emr.refusedKeys', { time, keys });
}

function cureOf({ kind, refused }: ApiEmr): string {
  if (kind === 'silent') return t('desk.emr.cureSilent');
  return t(refused.length > 0 ? 'desk.emr.cure' : 'desk.emr.cureRefused');
}
