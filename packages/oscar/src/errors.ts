/**
 * The errors of a call. No message and no cause contains anything of an answer's body: OSCAR's errors contain
 * class names and patients' data.
 */

/** Nothing was written, or a question was not answered: OSCAR cannot be reached now. */
export class OscarOffline extends Error {
  override readonly name: string = 'OscarOffline';
}

/** This client did not send it, so that OSCAR has less to do: nobody knows whether it would have answered. */
export class OscarSpared extends OscarOffline {
  override readonly name = 'OscarSpared';
}

/** A write may have happened: look before writing again. */
export class OscarOutcomeUnknown extends Error {
  override readonly name = 'OscarOutcomeUnknown';
}

/** Credentials, a role or a firewall: only a person can fix it, and the message says how. */
export class OscarRefused extends Error {
  override readonly name = 'OscarRefused';
  /** The token or the REST client, the login, or what stands before OSCAR. */
  readonly by: 'oauth' | 'soap' | 'firewall';
  /** OSCAR's own word for it. */
  readonly word: Word | undefined;
  constructor(by: OscarRefused['by'], message: string, word?: Word) {
    super(message);
    this.by = by;
    this.word = word;
  }

  /** Whether the token is taken, and may not do this one thing. */
  get isOfScope(): boolean {
    return /_(scope|endpoint)$/.test(this.word ?? '');
  }
}

/** The words with which builds of OSCAR refuse, most of them CARLOS's, and what is to be done. */
const words = {
  insufficient_scope:
    'the token lacks a scope for it: connect again, and approve all that is asked',
  restricted_endpoint: 'the token was given without scopes: connect again',
  blocked_endpoint: 'this OSCAR lets no token do it: do it there by hand',
  invalid_scope:
    'this OSCAR has other scopes than those that are asked for: it needs another client',
  invalid_consumer: 'there is no REST client with this key: copy the key again',
  invalid_signature:
    'the token has ended, which in CARLOS it does after an hour: connect again; or the secret is wrong, the clock is five minutes off, or a proxy hides scheme, host or port (RemoteIpValve)',
  nonce_replayed: 'it had this request before: a proxy repeats what it sends',
  unknown_provider: 'the provider of the token is gone: connect again, as another one',
  'No service was found': 'REST is off: ModuleNames in oscar.properties has to contain REST',
  callback: 'the URI of the REST client has to be oob',
  invalid_verifier: 'this is not the text that it showed: copy it again',
  invalid_request_token: 'the handshake is over, or more than an hour old: begin again',
  ACCESS_DENIED: 'the provider of the token lacks a role for it',
  'Access Denied': 'the provider of the token lacks a role for it',
  VALIDATION_ERROR: 'it calls what was sent invalid',
} as const;
type Word = keyof typeof words;

const wordIn = (body: string) => (Object.keys(words) as Word[]).find((word) => body.includes(word));

/** The status, and what the answer's word says; nothing else of the answer. */
export function because(status: number, body: string, otherwise = ''): string {
  const word = wordIn(body);
  const why = word === undefined ? otherwise : words[word];
  return why === '' ? String(status) : `${status}: ${why}`;
}

export const refusedByOAuth = (call: string, status: number, body: string, otherwise: string) =>
  new OscarRefused(
    'oauth',
    `${call} was refused (${because(status, body, otherwise)})`,
    wordIn(body),
  );

export const refusedByFirewall = (call: string, status: number) =>
  new OscarRefused(
    'firewall',
    `${call} did not get past a firewall (${status}): it has to let this server's address pass`,
  );

/** OSCAR answered with something else than was asked; nothing was written. */
export class OscarFault extends Error {
  override readonly name = 'OscarFault';
}

/** This client refused to send it; OSCAR received nothing. */
export class OscarInvalid extends Error {
  override readonly name = 'OscarInvalid';
}

interface Asked {
  readonly call: string;
  readonly writes?: boolean;
}

/** For an answer that is not OSCAR's, or not whole. */
export const unanswered = ({ call, writes }: Asked, why: string | number) =>
  writes
    ? new OscarOutcomeUnknown(`${call} was sent and not answered (${why})`)
    : new OscarOffline(`${call} was not answered (${why})`);

/** For an error of OSCAR's own. */
export const faulted = ({ call, writes }: Asked, why: string | number) => {
  const message = `${call} was answered with an error (${why})`;
  return writes ? new OscarOutcomeUnknown(message) : new OscarFault(message);
};

/** Null for an error of this kind; any other is thrown. */
export const nullFor =
  (kind: new (...given: never[]) => Error) =>
  (error: unknown): null => {
    if (error instanceof kind) return null;
    throw error;
  };
