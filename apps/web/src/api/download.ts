import type { CallId, CallInput } from '@clinic/contract';
import { filledPath, isRefusal } from '@clinic/contract/client';
import { routes } from '@clinic/contract/routes';
import { locale } from '../messages/t.ts';
import { accessToken } from './access-token.ts';
import { noticeEndedSession } from './service.ts';

type DownloadId = 'readAttachment' | 'exportData';

/** Downloads a file of the service as a blob; null when it cannot be had. */
export async function fetchFile<Id extends DownloadId & CallId>(
  id: Id,
  input: CallInput<Id>,
): Promise<Blob | null> {
  const path = filledPath(
    routes[id][1],
    'params' in input && typeof input.params === 'object' ? { ...input.params } : {},
  );
  const token = accessToken.get();
  const headers = { 'accept-language': locale(), 'x-access-token': token ?? '' };
  try {
    const response = await fetch(`/api${path}`, { headers, cache: 'no-store' });
    if (!response.ok) {
      const body: unknown = await response.json();
      const refusal = isRefusal(body) ? body : null;
      noticeEndedSession(id, { kind: 'refusal', status: response.status, refusal }, token);
      return null;
    }
    const file = await response.blob();
    // A patient who signed out meanwhile must not leave a file on the device.
    return accessToken.get() === token ? file : null;
  } catch {
    return null;
  }
}
