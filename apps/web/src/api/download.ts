import { askFile } from '@clinic/app/files';
import type { CallInput } from '@clinic/contract';
import { accessToken } from './access-token.ts';
import { service } from './service.ts';

/**
 * Downloads a file of the service as a blob; null when the patient has signed out meanwhile. Throws an
 * ApiError when it cannot be had.
 */
export async function fetchFile<Id extends 'readAttachment' | 'exportData'>(
  id: Id,
  input: CallInput<Id>,
): Promise<Blob | null> {
  const token = accessToken.get();
  const isGone = () => accessToken.get() !== token;
  try {
    const file = await askFile(service, id, input);
    // A patient who signed out meanwhile must not leave a file on the device.
    return isGone() ? null : file;
  } catch (error) {
    if (isGone()) return null;
    throw error;
  }
}
