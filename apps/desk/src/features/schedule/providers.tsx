import { messageOf } from '@clinic/app/api-error';
import { FailedState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { closingsQuery } from '../../shared/schedule-data.ts';
import { t } from '../../shared/words.ts';

/** The providers with their names; where these could not be fetched, `failed` says that numbers stand for them. */
export function useProviders() {
  const { data, error, isFetching, refetch } = useQuery(closingsQuery);
  const failed = data === undefined && error !== null && (
    <FailedState onRetry={() => void refetch()} busy={isFetching}>
      {t('desk.schedule.noNames', { why: messageOf(error) })}
    </FailedState>
  );
  return { providers: data?.providers ?? [], failed };
}
