import type { CallId, CallInput } from '@clinic/contract';
import { filledPath, isRefusal } from '@clinic/contract/client';
import { routes } from '@clinic/contract/routes';
import { locale } from '../messages/t.ts';
import { ApiError } from './api-error.ts';
import { accessToken } from './access-token.ts';
import { noticeEndedSession } from './service.ts';

type DownloadId = 'readAttachment' | 'exportData';

/**
 * Downloads a file of the service as a blob; null when the patient has signed out meanwhile. Throws an
 * ApiError when it cannot be had.
 */
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
  const isGone = () => accessToken.get() !== token;
  const unreached = () => new ApiError({ kind: 'unreachable' });
  const response = await fetch(`/api${path}`, { headers, cache: 'no-store' }).catch(() => null);
  if (response === null) throw unreached();
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => null);
    const refusal = isRefusal(body) ? body : null;
    const refused = { kind: 'refusal', status: response.status, refusal } as const;
    noticeEndedSession(id, refused, token);
    if (isGone()) return null;
    throw new ApiError(refused);
  }
  const file = await response.blob().catch(() => null);
  // A patient who signed out meanwhile must not leave a file on the device.
  if (isGone()) return null;
  if (file === null) throw unreached();
  return file;
}
