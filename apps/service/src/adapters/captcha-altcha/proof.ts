/** A solved challenge, as far as it must be judged. */
export interface Proof {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signature: string;
  readonly keySignature: string;
  readonly expiresAt: number;
  readonly derivedKey: string;
}

const HEX = /^(?:[0-9a-f]{2}){1,64}$/;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads altcha's payload: base64 of `{ challenge: { parameters, signature }, solution }`. */
export function readProof(text: string): Proof | null {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  if (!isRecord(read) || !isRecord(read.challenge) || !isRecord(read.solution)) return null;
  const { parameters, signature } = read.challenge;
  const { derivedKey } = read.solution;
  if (!isRecord(parameters) || typeof signature !== 'string' || typeof derivedKey !== 'string')
    return null;
  const { keySignature, expiresAt } = parameters;
  if (typeof keySignature !== 'string' || typeof expiresAt !== 'number') return null;
  if (![signature, keySignature, derivedKey].every((each) => HEX.test(each))) return null;
  return { parameters, signature, keySignature, expiresAt, derivedKey };
}

/** What the library signs: the parameters with their keys in order, absent ones left out. */
export function signedText(parameters: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(inOrder(parameters));
}

function inOrder(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const sorted = Object.keys(value).sort();
  return Object.fromEntries(sorted.map((key) => [key, inOrder(value[key])]));
}
