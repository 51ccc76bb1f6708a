import type { CallAnswer, CallInput } from '@clinic/contract';
import { filledPath, isRefusal, type CallResult } from '@clinic/contract/client';
import { routes } from '@clinic/contract/routes';
import { shownFileName } from '@clinic/ui/take-files';
import { accessToken } from '../../api/access-token.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { noticeEndedSession } from '../../api/service.ts';
import { locale, t } from '../../messages/t.ts';

/** Calls that upload files. */
type FileCallId = 'uploadDocuments' | 'startMessage' | 'changeMessage';

type TextFields = Readonly<Record<string, string>>;
type ParamsOf<Id extends FileCallId> =
  CallInput<Id> extends { readonly params: infer Params } ? { readonly params: Params } : unknown;
type FieldsOf<Id extends FileCallId> =
  CallInput<Id> extends { readonly body: infer Body extends TextFields } ? Body : never;

type FileCallInput<Id extends FileCallId> = ParamsOf<Id> & {
  /** The text fields of the form. */
  readonly fields: FieldsOf<Id>;
  readonly files: readonly File[];
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
 * Sends a form with files. Only XMLHttpRequest reports the progress of an upload, so this does not
 * use `fetch`; the result is that of `callService`. A cut upload is 'unreachable' and can be sent
 * again unchanged, as the service keeps nothing of half a form. Throws when aborted.
 */
export async function sendFiles<Id extends FileCallId>(
  id: Id,
  input: FileCallInput<Id>,
): Promise<CallResult<Id>> {
  const [method, path] = routes[id];
  const { fields, files, onProgress, signal } = input;
  signal?.throwIfAborted();
  const token = accessToken.get();
  const result = await new Promise<CallResult<Id>>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cut = () => request.abort();
    let stalled = setTimeout(cut, STALLED_AFTER_MS);
    const moves = () => {
      clearTimeout(stalled);
      stalled = setTimeout(cut, STALLED_AFTER_MS);
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      moves();
      onProgress?.(total === 0 ? 0 : loaded / total);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stalled);
      signal?.removeEventListener('abort', cut);
      if (signal?.aborted) reject(signal.reason);
      else resolve(resultOf(request));
    });
    signal?.addEventListener('abort', cut);
    request.open(method, `/api${filled(path, input)}`);
    request.setRequestHeader('accept-language', locale());
    if (token !== null) request.setRequestHeader('x-access-token', token);
    request.send(formOf(fields, files));
  });
  noticeEndedSession(id, result, token);
  return result;
}

function filled(path: string, input: object): string {
  return filledPath(
    path,
    'params' in input && typeof input.params === 'object' ? { ...input.params } : {},
  );
}

function formOf(fields: TextFields, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  files.forEach((file, index) => form.append(`file${index + 1}`, file, file.name));
  return form;
}

function resultOf<Id extends FileCallId>({ status, responseText }: XMLHttpRequest): CallResult<Id> {
  if (status === 0) return { kind: 'unreachable' };
  let body: unknown;
  try {
    body = JSON.parse(responseText);
  } catch {
    return { kind: 'refusal', status: isSuccess(status) ? 502 : status, refusal: null };
  }
  if (isSuccess(status)) return { kind: 'answer', answer: body as CallAnswer<Id> };
  return { kind: 'refusal', status, refusal: isRefusal(body) ? body : null };
}

const isSuccess = (status: number) => status >= 200 && status < 300;
