import { ApiError, messageOf } from '@clinic/app/api-error';
import { sendForm, type FormInput } from '@clinic/app/files';
import type { CallAnswer } from '@clinic/contract';
import { shownFileName } from '@clinic/ui/take-files';
import { service } from '../../api/service.ts';
import { t } from '../../messages/t.ts';

/** Calls that upload files. */
type FileCallId = 'uploadDocuments' | 'startMessage' | 'changeMessage';

type FileCallInput<Id extends FileCallId> = FormInput<Id> & {
  /** Receives the uploaded share of the form, 0 to 1. */
  readonly onProgress?: (sent: number) => void;
  readonly signal?: AbortSignal;
};

/** Tells the patient why files did not arrive, naming the refused file if the service names one. */
export function uploadFailure(error: unknown, files: readonly File[], fallback: string): string {
  const why = messageOf(error, fallback);
  const field = error instanceof ApiError ? error.fieldErrors[0]?.field : undefined;
  const at = /^file([1-9])$/.exec(field ?? '')?.[1];
  const file = at === undefined ? undefined : files[Number(at) - 1];
  return file ? t('files.refused', { name: shownFileName(file), why }) : why;
}

/** An upload without progress for this long, in milliseconds, counts as cut. */
const STALLED_AFTER_MS = 60_000;

/**
 * Sends a form with files, as `request` would. A cut upload counts as unreachable and can be sent again
 * unchanged, as the service keeps nothing of half a form.
 */
export function sendFiles<Id extends FileCallId>(
  id: Id,
  input: FileCallInput<Id>,
): Promise<CallAnswer<Id>> {
  // A call with a signal has no timeout.
  const { onProgress, signal = new AbortController().signal } = input;
  return sendForm(service, id, input, { signal, fetch: uploading(onProgress) });
}

/** A `fetch` by XMLHttpRequest: only this reports the progress of an upload. */
const uploading =
  (onProgress?: (sent: number) => void): typeof fetch =>
  (address, { method = 'POST', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      const cut = () => request.abort();
      let stalled = setTimeout(cut, STALLED_AFTER_MS);
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        clearTimeout(stalled);
        stalled = setTimeout(cut, STALLED_AFTER_MS);
        onProgress?.(total === 0 ? 0 : loaded / total);
      });
      request.addEventListener('loadend', () => {
        clearTimeout(stalled);
        signal?.removeEventListener('abort', cut);
        const { status, responseText } = request;
        if (signal?.aborted || status === 0) reject(signal?.reason);
        else resolve(new Response(responseText, { status }));
      });
      signal?.addEventListener('abort', cut);
      request.open(method, address instanceof Request ? address.url : address);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.send(body as FormData);
    });
