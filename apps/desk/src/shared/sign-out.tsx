import { ActionOutcome } from '@clinic/ui/action-outcome';
import { ask, queryClient, sessionQuery } from './api.ts';
import { useAction } from './desk-action.tsx';
import { t } from './words.ts';

/** Signs out; `failed` says that it is not done. */
export function useSignOut() {
  const lookAnew = () => queryClient.invalidateQueries(sessionQuery);
  const { run, pending, press, error } = useAction({
    work: () => ask('deskSignOut', { body: {} }),
    onDone: lookAnew,
    onFailed: lookAnew,
    changes: () => false,
  });
  const failed = <ActionOutcome press={press}>{error && t('desk.signOutFailed')}</ActionOutcome>;
  return { run, pending, failed };
}
