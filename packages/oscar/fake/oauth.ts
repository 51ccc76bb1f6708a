/** OAuth 1.0a as OSCAR checks it: written from the RFC, apart from the client's library. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { credentials } from './seed.ts';

interface Token {
  secret: string;
  /** Who approved it; none before. */
  providerNo?: string;
  verifier?: string;
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export class Consents {
  /** The tokens that REST calls are signed with. */
  readonly access = new Map<string, Token>([
    [
      credentials.token.key,
      { secret: credentials.token.secret, providerNo: credentials.providerNo },
    ],
  ]);
  readonly #requests = new Map<string, Token>();

  /** The provider whom a signed request acts as; none where the signature or the token is wrong. */
  actsAs(method: string, url: string, header: string): string | undefined {
    const signed = parametersOf(header);
    const token = this.access.get(signed.oauth_token ?? '');
    return isSigned(method, url, signed, token?.secret) ? token?.providerNo : undefined;
  }

  /** The first leg: a token to ask a person with; undefined where the signature is wrong. */
  initiate(method: string, url: string, header: string): string | undefined {
    if (!isSigned(method, url, parametersOf(header), '')) return undefined;
    const [key, secret] = fresh();
    this.#requests.set(key, { secret });
    return new URLSearchParams({
      oauth_token: key,
      oauth_token_secret: secret,
      oauth_callback_confirmed: 'true',
    }).toString();
  }

  /** The second leg: the person who logs in approves; the verifier, undefined for a token nobody has. */
  approve(key: string, providerNo: string): string | undefined {
    const token = this.#requests.get(key);
    if (token === undefined) return undefined;
    token.providerNo = providerNo;
    token.verifier = randomBytes(8).toString('hex');
    return token.verifier;
  }

  /** The last leg. */
  exchange(method: string, url: string, header: string): string | undefined {
    const signed = parametersOf(header);
    const token = this.#requests.get(signed.oauth_token ?? '');
    const isApproved = token?.verifier !== undefined && token.verifier === signed.oauth_verifier;
    if (!isApproved || !isSigned(method, url, signed, token.secret)) return undefined;
    this.#requests.delete(signed.oauth_token ?? '');
    const [key, secret] = fresh();
    this.access.set(key, { ...token, secret });
    return new URLSearchParams({ oauth_token: key, oauth_token_secret: secret }).toString();
  }
}

const fresh = () => [randomBytes(12).toString('hex'), randomBytes(20).toString('hex')] as const;

function parametersOf(header: string): Record<string, string> {
  const pairs = header.replace(/^OAuth\s+/i, '').matchAll(/([\w%]+)="([^"]*)"/g);
  return Object.fromEntries<string>(
    [...pairs].map(([, name, value]) => [name ?? '', decodeURIComponent(value ?? '')]),
  );
}

function isSigned(
  method: string,
  url: string,
  { oauth_signature: signature = '', ...signed }: Record<string, string>,
  secret: string | undefined,
): boolean {
  if (secret === undefined || signed.oauth_consumer_key !== credentials.consumer.key) return false;
  if (Math.abs(Date.now() / 1000 - Number(signed.oauth_timestamp)) > 300) return false;
  const { origin, pathname, searchParams } = new URL(url);
  const pairs = [...Object.entries(signed), ...searchParams]
    .map((pair) => pair.map(encoded).join('='))
    .sort();
  const text = [method, `${origin}${pathname}`, pairs.join('&')].map(encoded).join('&');
  const key = `${encoded(credentials.consumer.secret)}&${encoded(secret)}`;
  const expected = createHmac('sha1', key).update(text).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
