import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accessToken } from '../shared/api/access-token.ts';
import { listenLive } from '../shared/api/live.ts';
import { callService } from '../shared/api/service.ts';
import { askStatus, takeStatus } from '../shared/session/records-status.ts';
import { loadLogin } from './load-login.ts';

/** What a lost connection shows cannot be fetched any more when it is lost. */
function loadForTheEnd(): void {
  const coming = [loadLogin(), import('../shared/session/maintenance-message.tsx')];
  // The page that needs them asks again.
  void Promise.all(coming).catch(() => {});
}

/**
 * Keeps the session's connection and does what the service says over it. It stands on through
 * maintenance, which signs out, to hear that it is over.
 */
export function LiveSession() {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (accessToken.get() === null) return;
    return listenLive({
      onConnect() {
        askStatus(queryClient);
        loadForTheEnd();
      },
      onOffline() {
        takeStatus(queryClient, false);
        askStatus(queryClient);
      },
      onOnline: () => takeStatus(queryClient, true),
      onLost: () => takeStatus(queryClient, false),
      // If the session is over, this answer ends it here too.
      onTurnedAway: () => {
        if (accessToken.get() !== null) void callService('getMe', {}, { background: true });
      },
    });
  }, [queryClient]);
  return null;
}
