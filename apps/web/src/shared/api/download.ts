import type { CallId, CallInput } from '@clinic/contract';
import { routes } from '@clinic/contract/routes';
import { accessToken } from './access-token.ts';

type DownloadId = 'readAttachment' | 'exportData';

/** A file of the service's as a blob, or null when there was none to be had. */
export async function fetchFile<Id extends DownloadId & CallId>(
  id: Id,
  input: CallInput<Id>,
): Promise<Blob | null> {
  const params: Readonly<Record<string, string>> =
    'params' in input && typeof input.params === 'object' ? { ...input.params } : {};
  const path = routes[id][1].replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const headers = { 'x-access-token': accessToken.get() ?? '' };
  try {
    const response = await fetch(`/api${path}`, { headers, cache: 'no-store' });
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}

/** Hands a file to the browser to be saved under a name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
