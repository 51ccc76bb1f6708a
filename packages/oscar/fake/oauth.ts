/** OAuth 1.0a as OSCAR checks it: written from the RFC, apart from the client's library. */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

import type { Profile } from './profiles.ts';
import { credentials } from './seed.ts';

const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

interface Token {
  secret: string;
  /** Who approved it; none before. */
  providerNo?: string;
  verifier?: string;
  /** What was asked for. */
  readonly scopes: readonly string[];
  readonly issuedAt: number;
}

/** What CARLOS lets a token without scopes do. */
const unscoped =
  /^(POST \/demographics|PUT \/demographics|GET \/demographics\/\d+|POST \/document\/saveDocumentToDemographic|GET \/oauth\/info)$/;
/** The services that CARLOS has scopes for, as far as the stand-in has them. */
const domains: Readonly<Record<string, string>> = {
  demographics: 'demographic',
  document: 'document',
  providerService: 'provider',
  schedule: 'schedule',
  status: 'status',
  tickler: 'tickler',
};
const HOUR_MS = 3_600_000;

export class Consents {
  /** The tokens that REST calls are signed with. The first has all scopes that a client asks for. */
  readonly access = new Map<string, Token>();
  /** The URI of the REST client, as the clinic has set it. */
  clientUri = 'oob';
  readonly #requests = new Map<string, Token>();
  readonly #nonces = new Set<string>();
  readonly #profile: Profile;
  readonly #now: () => number;
  /** The server's clock, by which it takes what was signed within five minutes. */
  readonly #clock: () => number;

  constructor(profile: Profile, now: () => number, clock: () => number = () => Date.now()) {
    this.#profile = profile;
    this.#now = now;
    this.#clock = clock;
    const { providerNo, token } = credentials;
    const scopes = Object.values(domains).map((domain) => `${domain}.write`);
    this.access.set(token.key, { secret: token.secret, providerNo, scopes, issuedAt: now() });
  }

  /** The provider whom a signed request acts as; else why not, in the words of Open-O and CARLOS. */
  admit(method: string, url: string, header: string, path: string) {
    const signed = parametersOf(header);
    const key = signed.oauth_token ?? '';
    const { isRestricted } = this.#profile;
    if (isRestricted && this.#now() - (this.access.get(key)?.issuedAt ?? 0) >= HOUR_MS)
      this.access.delete(key);
    const token = this.access.get(key);
    if (header === '') return { word: 'authentication_required' };
    if (signed.oauth_consumer_key !== credentials.consumer.key) return { word: 'invalid_consumer' };
    if (!this.#isSigned({ method, url, signed }, token?.secret))
      return { word: 'invalid_signature' };
    if (isRestricted) {
      const nonce = signed.oauth_nonce ?? '';
      if (this.#nonces.has(nonce)) return { word: 'nonce_replayed' };
      this.#nonces.add(nonce);
      const word = scopeRefusal(method, path, token?.scopes ?? []);
      if (word !== undefined) return { word };
    }
    return { actsAs: token?.providerNo };
  }

  /** The first leg: a token to ask a person with; else why not, as CARLOS says it. */
  initiate(method: string, url: string, header: string, body: string) {
    const signed = parametersOf(header);
    const form = new URLSearchParams(body);
    const { checksCallback, isRestricted } = this.#profile;
    if (signed.oauth_consumer_key !== credentials.consumer.key)
      return { status: 401, word: 'invalid_consumer' };
    const callback = signed.oauth_callback;
    if (!this.#isSigned({ method, url, signed, form }, '') || callback === undefined)
      return { status: 500, word: '' };
    if (checksCallback && !callback.startsWith(this.clientUri))
      return { status: 400, word: 'callback_uri not allowed' };
    const scopes = (form.get('scope') ?? '').split(' ').filter(Boolean);
    const isKnown = (scope: string) =>
      /^\w+\.(read|write)$/.test(scope) &&
      Object.values(domains).includes(scope.replace(/\..*/, ''));
    if (isRestricted && !scopes.every(isKnown)) return { status: 400, word: 'invalid_scope' };
    const [key, secret] = fresh();
    this.#requests.set(key, { secret, scopes, issuedAt: this.#now() });
    return {
      token: new URLSearchParams({
        oauth_token: key,
        oauth_token_secret: secret,
        oauth_callback_confirmed: 'true',
      }).toString(),
    };
  }

  /** The second leg: the person who logs in approves; the verifier, undefined for a token nobody has. */
  approve(key: string, providerNo: string): string | undefined {
    const token = this.#requests.get(key);
    if (token === undefined) return undefined;
    token.providerNo = providerNo;
    token.verifier = randomUUID();
    return token.verifier;
  }

  /** The last leg; why not, where it is refused. */
  exchange(method: string, url: string, header: string): { token: string } | { error: string } {
    const signed = parametersOf(header);
    const token = this.#requests.get(signed.oauth_token ?? '');
    if (token === undefined || !this.#isSigned({ method, url, signed }, token.secret))
      return { error: 'invalid_request_token' };
    if (token.verifier === undefined || token.verifier !== signed.oauth_verifier)
      return { error: 'invalid_verifier' };
    this.#requests.delete(signed.oauth_token ?? '');
    const [key, secret] = fresh();
    this.access.set(key, { ...token, secret, issuedAt: this.#now() });
    const params = new URLSearchParams({ oauth_token: key, oauth_token_secret: secret });
    return { token: params.toString() };
  }

  #isSigned(request: SignedRequest, secret: string | undefined): boolean {
    const { oauth_consumer_key: consumer, oauth_timestamp: at } = request.signed;
    if (secret === undefined || consumer !== credentials.consumer.key) return false;
    if (Math.abs(this.#clock() / 1000 - Number(at)) > 300) return false;
    return hasSignature(request, secret);
  }
}

/** A right to write is one to read, too; a POST that only asks is a read. */
function scopeRefusal(method: string, path: string, scopes: readonly string[]) {
  if (scopes.length === 0)
    return unscoped.test(`${method} ${path}`) ? undefined : 'restricted_endpoint';
  const [, root = ''] = path.split('/');
  if (root === 'oauth') return undefined;
  const reads = method === 'GET' || /(search|getAppointment|appointmentHistory)$/.test(path);
  const isGiven = scopes.some(
    (scope) => scope === `${domains[root]}.write` || (reads && scope === `${domains[root]}.read`),
  );
  return isGiven ? undefined : 'insufficient_scope';
}

const fresh = () => [randomBytes(12).toString('hex'), randomBytes(20).toString('hex')] as const;

function parametersOf(header: string): Record<string, string> {
  const pairs = header.replace(/^OAuth\s+/i, '').matchAll(/([\w%]+)="([^"]*)"/g);
  return Object.fromEntries<string>(
    [...pairs].map(([, name, value]) => [name ?? '', decodeURIComponent(value ?? '')]),
  );
}

interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly signed: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

function hasSignature(
  { method, url, signed: given, form = new URLSearchParams() }: SignedRequest,
  secret: string,
): boolean {
  const { oauth_signature: signature = '', ...signed } = given;
  const { origin, pathname, searchParams } = new URL(url);
  const pairs = [...Object.entries(signed), ...searchParams, ...form]
    .map((pair) => pair.map(encoded).join('='))
    .sort();
  const text = [method, `${origin}${pathname}`, pairs.join('&')].map(encoded).join('&');
  const key = `${encoded(credentials.consumer.secret)}&${encoded(secret)}`;
  const expected = createHmac('sha1', key).update(text).digest();
  const found = Buffer.from(signature, 'base64');
  return found.length === expected.length && timingSafeEqual(found, expected);
}
