import type { CallInput, DeskCallId } from '@clinic/contract';
import { filledPath, isRefusal } from '@clinic/contract/client';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { formatNumber } from '@clinic/texts';
import { settled } from './api.ts';
import { locale, t } from './words.ts';

/** Calls that answer with a file. */
type DownloadId = Extract<DeskCallId, 'deskReadAttachment' | 'deskOpenDocument'>;

interface Sent {
  readonly params?: Record<string, string | number>;
  readonly headers?: Record<string, string>;
  readonly body?: FormData | string;
}

/** An upload that takes longer is aborted. */
const PATIENCE_MS = 5 * 60_000;

async function send(id: DeskCallId, { params = {}, headers = {}, body }: Sent) {
  const [method, path] = deskRoutes[id];
  try {
    const response = await fetch(`/api${filledPath(path, params)}`, {
      method,
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body }),
    });
    if (response.ok) return { kind: 'answer' as const, answer: await response.blob() };
    const refused: unknown = await response.json().catch(() => null);
    const refusal = isRefusal(refused) ? refused : null;
    return { kind: 'refusal' as const, status: response.status, refusal };
  } catch {
    return { kind: 'unreachable' as const };
  }
}

/** Downloads a file. If the call needs a recent second factor, asks for one and repeats the call. */
export async function askFile<Id extends DownloadId>(id: Id, input: CallInput<Id>): Promise<Blob> {
  const { params, body }: { params?: Sent['params']; body?: unknown } = input;
  const sent = {
    ...(params && { params }),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  };
  return settled(id, await send(id, sent), () => askFile(id, input));
}

interface FormInput extends Pick<Sent, 'params' | 'headers'> {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly File[];
}

/** Sends a form with files. */
export async function sendForm(id: 'deskAnswerMessage', input: FormInput): Promise<void> {
  const { fields, files, ...rest } = input;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const [at, file] of files.entries()) body.append(`file${at + 1}`, file, file.name);
  await settled(id, await send(id, { ...rest, body }), async () => {
    await sendForm(id, input);
    return new Blob();
  });
}

/** '640 KB', '2.4 MB'. */
export function fileSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? t('desk.kilobytes', { size: formatNumber(locale, Math.max(1, Math.round(kilobytes))) })
    : t('desk.megabytes', { size: formatNumber(locale, kilobytes / 1024, 1) });
}
