import type { AnyCall, CallAnswer, CallInput } from '@clinic/contract';
import type { AskOptions } from '@clinic/contract/client';
import type { Service } from './service.ts';

/** How long a file may take, in milliseconds. */
const PATIENCE_MS = 5 * 60_000;

/** Downloads a file. Throws an `ApiError` when it cannot be had. */
export async function askFile<Ids extends AnyCall['id'], Id extends Ids>(
  { request }: Service<Ids>,
  id: Id,
  input: CallInput<Id>,
): Promise<Blob> {
  const file: unknown = await request(id, input, { isFile: true, patienceMs: PATIENCE_MS });
  return file as Blob;
}

type TextFields = Readonly<Record<string, string>>;
export type FormInput<Id extends AnyCall['id']> = Omit<CallInput<Id>, 'body'> & {
  /** The text fields of the form. */
  readonly fields: CallInput<Id> extends { readonly body: infer Body extends TextFields }
    ? Body
    : never;
  readonly files: readonly File[];
};

/**
 * Sends a form with files, in five minutes at most unless `options` say something else. Throws an `ApiError`
 * when it did not arrive.
 */
export function sendForm<Ids extends AnyCall['id'], Id extends Ids>(
  { request }: Service<Ids>,
  id: Id,
  { fields, files, ...rest }: FormInput<Id>,
  options: AskOptions = { patienceMs: PATIENCE_MS },
): Promise<CallAnswer<Id>> {
  const body = new FormData();
  for (const [name, value] of Object.entries<string>(fields)) body.append(name, value);
  files.forEach((file, index) => body.append(`file${index + 1}`, file, file.name));
  return request(id, { ...rest, body } as unknown as CallInput<Id>, options);
}
