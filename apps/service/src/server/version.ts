import { createHash } from 'node:crypto';
import { Refusal, localized, refuse } from './refusal.ts';

/** A hash of the content, 43 characters: another content has another version. */
export const versionOfContent = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** The values that a form is made of, by the API's names of its fields. */
export type FormFields = Readonly<Record<string, unknown>>;

/** What a form says of itself (`formHeaders` of the contract). */
export interface FormHeaders {
  readonly 'x-changed'?: string | undefined;
  readonly 'x-form-version'?: string | undefined;
}

const HASH_LENGTH = 8;
/** Of a few versions of one field: 48 bits tell them apart. */
const hashOf = (name: string, value: unknown): string =>
  versionOfContent([name, value ?? null]).slice(0, HASH_LENGTH);

/** The version of what a form is made of: a hash of each field. */
export const versionOfForm = (fields: FormFields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}:${hashOf(name, value)}`)
    .join();

/**
 * Lays a form over what is stored now: returns the part of `sent` to be saved. That is all of it where the
 * form says nothing of itself. Else it is what was changed in the form, or a refusal with the names of the
 * fields that somebody else has changed too since. What is stored already was saved by an earlier sending.
 */
export function overStored<Fields extends FormFields>(
  { 'x-changed': named, 'x-form-version': version }: FormHeaders,
  stored: FormFields,
  sent: Fields,
): Partial<Fields> | Refusal {
  const madeOf = new Map(
    (version ?? '').split(',').map((field) => {
      const [name = '', hash] = field.split(':');
      return [name, hash] as const;
    }),
  );
  const changes = Object.entries(sent).filter(([name, value]) =>
    named === undefined
      ? madeOf.get(name) !== hashOf(name, value)
      : named.split(',').includes(name),
  );
  const undone = changes.flatMap(([name, value]) => {
    const was = madeOf.get(name);
    const now = hashOf(name, stored[name]);
    return was === undefined || was === now || now === hashOf(name, value) ? [] : [name];
  });
  if (undone.length === 0) return Object.fromEntries(changes) as Partial<Fields>;
  const message = localized('fieldChangedMeanwhile');
  return refuse('changedMeanwhile', { errors: undone.map((field) => ({ field, message })) });
}

/** For a form whose one press sets all that it sends: a refusal where somebody has set it otherwise since. */
export function overtaken(form: FormHeaders, stored: FormFields, sent: FormFields): Refusal | null {
  const over = overStored({ ...form, 'x-changed': Object.keys(sent).join() }, stored, sent);
  return over instanceof Refusal ? over : null;
}
