/** OAuth 1.0a: the signature of each REST call, and the handshake that a person completes in a browser. */
import { createHmac, randomBytes } from 'node:crypto';

import OAuth from 'oauth-1.0a';

import { OscarRefused } from './errors.ts';
import { Transport } from './transport.ts';

/** A key with its secret: of the REST client that a clinic registered, or of a token. */
export interface Credential {
  readonly key: string;
  readonly secret: string;
}

interface Signed {
  readonly method: string;
  /** With its query; the body is not signed. */
  readonly url: string;
  /** Parameters of the handshake, such as oauth_verifier. */
  readonly handshake?: Readonly<Record<string, string>>;
}

/** The Authorization header of a request. */
export type Sign = (request: Signed) => string;

export function signer(consumer: Credential, token?: Credential): Sign {
  const oauth = new OAuth({
    consumer,
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  });
  oauth.getNonce = () => randomBytes(16).toString('hex');
  return ({ method, url, handshake = {} }) => {
    const signed = oauth.authorize({ method, url, data: { ...handshake } }, token);
    return oauth.toHeader({ ...signed, ...handshake }).Authorization;
  };
}

export interface Connecting {
  /** With the context path, such as https://oscar.example.org/oscar. */
  readonly base: string;
  readonly consumer: Credential;
}

/**
 * The first leg of the handshake. The person opens `authorizeAt`, logs in as the provider whom the calls act
 * as, and brings the verifier back: through the callback address, or as a text when it is 'oob'.
 */
export async function beginConnecting({
  base,
  consumer,
  callback = 'oob',
}: Connecting & { readonly callback?: string }) {
  const url = `${base}/ws/oauth/initiate`;
  const sign = signer(consumer);
  const token = await tokenAt(url, sign, { oauth_callback: callback });
  return {
    requestToken: token,
    authorizeAt: `${base}/ws/oauth/authorize?oauth_token=${encodeURIComponent(token.key)}`,
  };
}

/** The last leg. The token lasts as long as the clinic has set; only a new handshake replaces it. */
export async function finishConnecting({
  base,
  consumer,
  requestToken,
  verifier,
}: Connecting & { readonly requestToken: Credential; readonly verifier: string }) {
  const sign = signer(consumer, requestToken);
  return tokenAt(`${base}/ws/oauth/token`, sign, { oauth_verifier: verifier });
}

async function tokenAt(
  url: string,
  sign: Sign,
  handshake: Readonly<Record<string, string>>,
): Promise<Credential> {
  const transport = new Transport({
    timeoutMs: 15_000,
    perMinute: 10,
    now: () => performance.now(),
  });
  const { status, body } = await transport.send({
    call: 'oauth',
    writes: false,
    urgent: true,
    method: 'POST',
    url,
    headers: { authorization: sign({ method: 'POST', url, handshake }) },
  });
  const answer = new URLSearchParams(body);
  const key = answer.get('oauth_token');
  const secret = answer.get('oauth_token_secret');
  if (status !== 200 || key === null || secret === null)
    throw new OscarRefused('oauth', `The handshake was refused (${status})`);
  return { key, secret };
}
