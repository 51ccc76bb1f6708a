import { useEffect } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { alertPatient } from '../../shared/ui/alert-dialog.tsx';
import { FailedState } from '../../shared/ui/page-states.tsx';

interface SearchFailedProps {
  error: Error;
  onRetry: () => void;
}

/** A search that failed, with a way to try again; what the service says of it is alerted (§8, R-25). */
export function SearchFailed({ error, onRetry }: SearchFailedProps) {
  const said = error instanceof ApiError && error.status !== 401 ? error.serverMessage : null;
  useEffect(() => {
    if (said !== null) void alertPatient(said);
  }, [said]);
  return <FailedState onRetry={onRetry}>{t('booking.searchFailed')}</FailedState>;
}
