import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { LoadState } from '@clinic/app/outcome';
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { locale, t } from '../../messages/t.ts';
import { messageOf } from '@clinic/app/api-error';
import { BACKGROUND, request } from '../../api/service.ts';
import { signOutEverywhere } from '../../shared/session/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './account.module.css';

/** The patient's sessions, fetched each time the page is opened. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) =>
    (await request('listSessions', {}, { signal, ...BACKGROUND })).extras.sessions,
  staleTime: 0,
});

/** Lists the patient's sessions, and signs out of all of them. */
export function SessionList() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const { data } = sessions;
  const everywhere = useAction({
    work: () => signOutEverywhere(queryClient, t('account.signedOutEverywhere')),
    onFailed: (error) => announce('error', messageOf(error)),
  });
  return (
    <Card as="section" className={styles.group} aria-labelledby="account-sessions">
      <h3 id="account-sessions">{t('account.sessions')}</h3>
      {data && (
        <ul className={styles.sessions}>
          {data.map(({ device, signedInAt, lastActiveAt, current }, at) => (
            // Two of a moment are alike in all that is known of them.
            <li key={at}>
              <span className={styles.device}>
                {device === '' ? t('account.unknownDevice') : <span translate="no">{device}</span>}
                {current && ` (${t('account.thisDevice')})`}
              </span>
              <span className={styles.note}>
                {t('account.sessionTimes', {
                  since: formatMoment(locale(), signedInAt),
                  active: formatMoment(locale(), lastActiveAt),
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <LoadState of={sessions} />
      <p className={styles.note}>{t('account.everywhereText')}</p>
      <div>
        <Button
          variant="secondary"
          icon={<LogOut size={18} aria-hidden="true" />}
          busy={everywhere.pending}
          busyLabel={t('account.signingOut')}
          onClick={() => everywhere.run()}
        >
          {t('account.everywhere')}
        </Button>
      </div>
    </Card>
  );
}
