/** OAuth 1.0a: the signature of each REST call, and the handshake that a person completes in a browser. */
import { createHmac, randomBytes } from 'node:crypto';

import OAuth from 'oauth-1.0a';

import { OscarRefused, nullFor, refusedByOAuth } from './errors.ts';
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

/** What a token is for, as CARLOS calls it: without these it may do little. Others only note them. */
const SCOPES = 'demographic.write document.write schedule.write tickler.write status.read';
const CAUSES =
  'look at the key, the secret and the URI of the REST client, which has to be oob, at the clock, and whether a proxy hides scheme, host or port (RemoteIpValve)';

type Form = Readonly<Record<string, string>>;

/**
 * The first leg of the handshake. The person opens `authorizeAt`, logs in as the provider whom the calls act
 * as, and brings the verifier back, which OSCAR shows. Where scopes are not understood, it is asked without.
 */
export async function beginConnecting(connecting: Connecting) {
  const asked = await initiate(connecting, { scope: SCOPES }).catch(nullFor(OscarRefused));
  const requestToken = asked ?? (await initiate(connecting));
  const { base } = connecting;
  const authorizeAt = `${base}/ws/oauth/authorize?oauth_token=${encodeURIComponent(requestToken.key)}`;
  return { requestToken, authorizeAt };
}

/** The last leg. The token lasts as long as OSCAR lets it; only a new handshake replaces it. */
export async function finishConnecting({
  base,
  consumer,
  requestToken,
  verifier,
}: Connecting & { readonly requestToken: Credential; readonly verifier: string }) {
  const sign = signer(consumer, requestToken);
  return tokenAt(`${base}/ws/oauth/token`, sign, { oauth_verifier: verifier });
}

/**
 * The address that OSCAR believes to be asked at, by which it reckons signatures: behind a proxy that hides scheme,
 * host or port it is another one than `base`. Null where none of those that are likely is taken: then the secret is
 * wrong. One that is taken leaves a request for consent, which nobody answers.
 */
export async function seenAs(connecting: Connecting): Promise<string | null> {
  const { origin: own, host, hostname, pathname } = new URL(connecting.base);
  const hosts = [host, hostname, `${hostname}:8080`, `${hostname}:8443`];
  hosts.push('localhost:8080', '127.0.0.1:8080', 'localhost', '127.0.0.1');
  const likely = hosts.flatMap((each) => [`http://${each}`, `https://${each}`]);
  for (const origin of new Set([own, ...likely])) {
    const seen = `${origin}${pathname.replace(/\/+$/, '')}`;
    if ((await initiate(connecting, {}, seen).catch(nullFor(OscarRefused))) !== null) return seen;
  }
  return null;
}

/** Asks for a request token. `seen` is where OSCAR believes to be asked. */
const initiate = ({ base, consumer }: Connecting, form: Form = {}, seen = base) =>
  tokenAt(
    `${base}/ws/oauth/initiate`,
    signer(consumer),
    { oauth_callback: 'oob', ...form },
    `${seen}/ws/oauth/initiate`,
  );

/** The parameters of OAuth are sent in the header, others as a form. */
async function tokenAt(
  url: string,
  sign: Sign,
  handshake: Form,
  signedFor = url,
): Promise<Credential> {
  const transport = new Transport({ timeoutMs: 15_000, perMinute: 10, now: Date.now });
  const form = Object.entries(handshake).filter(([name]) => !name.startsWith('oauth_'));
  const { status, body } = await transport.send({
    call: 'oauth',
    writes: false,
    urgent: true,
    method: 'POST',
    url,
    headers: {
      authorization: sign({ method: 'POST', url: signedFor, handshake }),
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(form.length > 0 && { body: new URLSearchParams(form).toString() }),
  });
  const answer = new URLSearchParams(body);
  const key = answer.get('oauth_token');
  const secret = answer.get('oauth_token_secret');
  if (status !== 200 || key === null || secret === null)
    throw refusedByOAuth('The handshake', status, body, CAUSES);
  return { key, secret };
}
