import type { ApiGoneAppointment, ApiWaitingAct } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { formatTime, toClinic, deskPages } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'wouter';
import { ask, liveQuery } from './api.ts';
import styles from './app.module.css';
import { Outcome, useAction, useSaid } from './desk-action.tsx';
import { useMay } from './may.ts';
import { closingQuery, closingsQuery, spanText } from './schedule-data.ts';
import { locale, t } from './words.ts';

const LOOK_EVERY_MS = 5_000;

/** What can be stopped, and what became of one's own acts that waited; the service says when that ends. */
export const waitingQuery = liveQuery(
  ['waiting'],
  async (how) => {
    const { acts, gone = [] } = (await ask('deskWaiting', {}, how)).extras;
    return { acts, gone };
  },
  {
    refetchInterval: ({ state: { data } }) =>
      data?.acts.some(({ state }) => state === 'waiting') === true ? LOOK_EVERY_MS : false,
  },
);

/** Above every page: what harms many soon, with the button that stops it, and what is gone from the EMR. */
export function StopLine() {
  const { data = { acts: [], gone: [] } } = useQuery(waitingQuery);
  const [stopped, say] = useSaid();
  return (
    <>
      {stopped}
      <div role="log" aria-label={t('desk.stop.log')}>
        {data.gone.length > 0 && <Gone gone={data.gone} onDecided={say} />}
        {data.acts.map(
          (act) =>
            act.state === 'waiting' && <Stoppable key={act.id} waiting={act} onStopped={say} />,
        )}
      </div>
    </>
  );
}

interface StoppableProps {
  waiting: ApiWaitingAct;
  onStopped: (says: string) => void;
}

function Stoppable({ waiting, onStopped }: StoppableProps) {
  const may = useMay();
  const { id, act, n, askedBy, time, invited, waitsUntil } = waiting;
  const providers = time?.providers ?? [];
  const values = {
    n,
    name: askedBy ?? t('desk.closings.operator'),
    span: time === null ? '' : spanText(time),
    who: invited?.name ?? (providers.join(', ') || t('desk.close.everybody')),
    email: invited?.email ?? '',
    time: formatTime(waitsUntil),
  };
  const stop = useAction({
    work: () => ask('deskStop', { params: { id }, body: {} }),
    onDone: () => onStopped(t(`desk.stop.${act}.stopped`, values)),
    shows: [waitingQuery.queryKey, closingQuery(id).queryKey, closingsQuery.queryKey],
  });
  return (
    <Notice kind="danger" title={t(`desk.stop.${act}.title`, values)}>
      <p>
        {t(`desk.stop.${act}.about`, values)}{' '}
        {act === 'close' && may('seeSchedule') && (
          <Link href={pathTo(deskPages.closing, { id })}>{t('desk.stop.look')}</Link>
        )}
      </p>
      <div>
        <Button
          variant="danger"
          actsOn={id}
          busy={stop.pending}
          busyLabel={t('desk.stop.stopping')}
          onClick={() => stop.run()}
        >
          {t(`desk.stop.${act}.now`, values)}
        </Button>
      </div>
      <Outcome of={stop} />
    </Notice>
  );
}

/** The most that are listed at once: the others follow as these are decided. */
const MOST_GONE = 5;

interface GoneProps {
  gone: readonly ApiGoneAppointment[];
  onDecided: (says: string) => void;
}

/** Appointments that are gone from the EMR, each with the two decisions on it. */
function Gone({ gone, onDecided }: GoneProps) {
  const titleId = useId();
  const decide = useAction({
    work: ({ id, is }: { id: string; is: 'kept' | 'cancelled'; when: string }) =>
      ask('deskDecideGone', { params: { id }, body: { is } }),
    onDone: (_, { is, when }) => onDecided(t(`desk.gone.${is}`, { when })),
    shows: [waitingQuery.queryKey],
  });
  return (
    <Notice
      kind="danger"
      title={<span id={titleId}>{t('desk.gone.title', { n: gone.length })}</span>}
    >
      <p>{t('desk.gone.about')}</p>
      <ul className={styles.gone} aria-labelledby={titleId}>
        {gone.slice(0, MOST_GONE).map(({ id, start, provider, until }) => {
          const when = t('desk.gone.when', { when: formatMoment(locale(), start), provider });
          const isBusy = decide.pending && decide.input?.id === id;
          return (
            <li key={id}>
              <Link
                href={pathTo(deskPages.day, { date: toClinic(start).date }, { appointment: id })}
              >
                {when}
              </Link>{' '}
              {until === null
                ? t('desk.gone.waits')
                : t('desk.gone.until', { time: formatTime(until) })}
              <div className={styles.decisions}>
                {(['kept', 'cancelled'] as const).map((is) => (
                  <Button
                    key={is}
                    variant="secondary"
                    actsOn={`${id} ${is}`}
                    aria-label={isBusy ? undefined : t(`desk.gone.${is}Do`, { when })}
                    busy={isBusy && decide.input?.is === is}
                    busyLabel={t('desk.saving')}
                    onClick={() => decide.run({ id, is, when })}
                  >
                    {t(`desk.gone.${is}Short`)}
                  </Button>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
      {gone.length > MOST_GONE && <p>{t('desk.gone.more', { n: gone.length - MOST_GONE })}</p>}
      <Outcome of={decide} />
    </Notice>
  );
}

const DAY = 24 * 60 * 60;

/** What becomes of an export or an invitation that waits, in a line. */
export function becomes(waiting: ApiWaitingAct): string {
  const { act, state, n, askedAt, waitsUntil, invited, stopped } = waiting;
  const at = state === 'ready' ? waitsUntil + DAY : (stopped?.at ?? waitsUntil);
  const said =
    act === 'invite'
      ? (`invite.${state === 'ready' ? 'waiting' : state}` as const)
      : (`export.${state === 'done' || state === 'failed' ? 'ready' : state}` as const);
  return t(`desk.waits.${said}`, {
    n,
    asked: formatMoment(locale(), askedAt),
    name: invited?.name ?? '',
    email: invited?.email ?? '',
    who: stopped?.by ?? t('desk.closings.byOperator'),
    time: formatTime(at),
  });
}
