import { LoadState } from '@clinic/app/outcome';
import type { ApiDeskOpenSession } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask } from './api.ts';
import { Outcome, useAction, useSaid } from './desk-action.tsx';
import styles from './office.module.css';
import { locale, t } from './words.ts';

/** Of one's own where `of` is null, else of a colleague. */
interface Whose {
  of: { readonly id: string; readonly name: string } | null;
}

const sessionsQuery = ({ of }: Whose) =>
  queryOptions({
    queryKey: ['sessions', of?.id ?? 'own'],
    queryFn: async () => {
      const { extras } =
        of === null
          ? await ask('deskOwnSessions', {})
          : await ask('deskStaffSessions', { params: { id: of.id } });
      return extras.sessions;
    },
  });

export const ownSessionsKey = sessionsQuery({ of: null }).queryKey;

const deviceOf = ({ device }: ApiDeskOpenSession) =>
  device === '' ? t('desk.sessionUnknown') : device;

/** Where somebody is signed in, and signing them out there: in one place, or everywhere else. */
export function Sessions({ of }: Whose) {
  const query = sessionsQuery({ of });
  const sessions = useQuery(query);
  const [done, say] = useSaid();
  const end = useAction({
    work: (session: ApiDeskOpenSession | null) => {
      const body = session === null ? {} : { id: session.id };
      return of === null
        ? ask('deskEndOwnSessions', { body })
        : ask('deskEndStaffSessions', { params: { id: of.id }, body });
    },
    onDone: (_, session) => {
      if (session !== null) say(t('desk.sessionEnded', { device: deviceOf(session) }));
      else say(of === null ? t('desk.sessionsEnded') : t('desk.sessionsEndedOf', of));
    },
    shows: [query.queryKey],
  });
  const { data } = sessions;
  const others = data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <>
      {done}
      <LoadState of={sessions} />
      {data?.length === 0 && of !== null && <p>{t('desk.sessionsNone', of)}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.sessions}>
          {data.map((session) => {
            const { id, signedInAt, lastActiveAt, isCurrent, isLocked } = session;
            const since = formatMoment(locale(), signedInAt);
            const device = deviceOf(session);
            return (
              <li key={id}>
                <div>
                  <div>
                    <strong translate={session.device === '' ? undefined : 'no'}>{device}</strong>
                    {isCurrent && ` (${t('desk.sessionHere')})`}
                    {isLocked && ` (${t('desk.sessionLocked')})`}
                  </div>
                  <div className={styles.soft}>
                    {t('desk.sessionTimes', {
                      since,
                      active: formatMoment(locale(), lastActiveAt),
                    })}
                  </div>
                </div>
                {!isCurrent && (
                  <Button
                    variant="secondary"
                    aria-label={t('desk.sessionEndOf', { device, since })}
                    busy={end.pending && end.input?.id === id}
                    busyLabel={t('desk.sessionEnding')}
                    onClick={() => end.run(session)}
                  >
                    {t('desk.sessionEnd')}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Outcome of={end} />
      {others.length > 0 && (
        <div>
          <Button
            variant="secondary"
            busy={end.pending && end.input === null}
            busyLabel={t('desk.sessionEnding')}
            onClick={() => end.run(null)}
          >
            {of === null ? t('desk.sessionsEnd') : t('desk.sessionsEndOf', of)}
          </Button>
        </div>
      )}
    </>
  );
}
