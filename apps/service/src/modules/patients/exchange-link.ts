import { createHash } from 'node:crypto';
import type { Db } from '../../database/db.ts';
import type { ExchangeAsked, ExchangedLink } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { type CodeRow, findCode, takeCode } from '../../security/one-time-codes.store.ts';
import { accountById } from './accounts.store.ts';
import { isLinkToken } from './dashboard-link.ts';
import { deviceOf } from './device.ts';
import { type KeptOut, whyKeptOut } from './sign-in.ts';

/** how long the same exchange may be asked again, in seconds. */
const REPEAT_WINDOW = 60;

export type ExchangePorts = Pick<
  Platform,
  'database' | 'keyring' | 'sessions' | 'appendAudit' | 'rateLimit' | 'config'
>;

export type Exchanged =
  | ({ readonly kind: 'signedIn' } & ExchangedLink)
  | { readonly kind: 'tooMany'; readonly retryAfter: number }
  | { readonly kind: 'refused'; readonly code: 'tokenNotValid' | KeptOut };

const NOT_VALID: Exchanged = { kind: 'refused', code: 'tokenNotValid' };

/**
 * takes a link once, within 5 minutes. The session token follows from the link under the
 * keyring, so that a repeated exchange gives the same one without its being kept.
 */
export async function exchangeLink(ports: ExchangePorts, asked: ExchangeAsked): Promise<Exchanged> {
  const { token, now, address } = asked;
  if (!isLinkToken(token)) return NOT_VALID;
  const { rateLimit, config } = ports;
  const counted = await rateLimit.use(config.rates.linksPerAddress, address, now);
  if (counted.kind === 'tooMany') return counted;
  const exchanged = await exchange(ports, asked);
  if (exchanged.kind === 'signedIn')
    await rateLimit.giveBack(config.rates.linksPerAddress, address, now);
  return exchanged;
}

async function exchange(ports: ExchangePorts, asked: ExchangeAsked): Promise<Exchanged> {
  const { database, keyring, sessions } = ports;
  const { token, now } = asked;
  const link = await findCode(database.db, keyring, 'dashboard', token);
  if (link === null) return NOT_VALID;
  const code = await keptOutNow(database.db, link.patientId);
  if (code !== null) return { kind: 'refused', code };
  const sessionToken = Buffer.from(keyring.mac('dashboard.session', token)).toString('base64url');
  const isFirst = await startSession(ports, link, sessionToken, asked);
  const found = await sessions.find(sessionToken, now);
  if (found.kind !== 'signedIn') return NOT_VALID;
  if (!isFirst && !mayRepeat(await findCode(database.db, keyring, 'dashboard', token), now))
    return NOT_VALID;
  if (!isFirst && !found.patient.unused) return NOT_VALID;
  return { kind: 'signedIn', patient: found.patient, token: sessionToken };
}

const mayRepeat = (link: CodeRow | null, now: number): boolean =>
  link !== null && link.usedAt !== null && now - link.usedAt <= REPEAT_WINDOW;

async function keptOutNow(db: Db, patientId: string): Promise<KeptOut | 'tokenNotValid' | null> {
  const account = await accountById(db, patientId);
  return account === null ? 'tokenNotValid' : whyKeptOut(account);
}

/** True for the one exchange that used the link up. */
function startSession(
  { database, sessions, appendAudit }: ExchangePorts,
  link: CodeRow,
  sessionToken: string,
  { now, userAgent }: ExchangeAsked,
): Promise<boolean> {
  const sessionHash = createHash('sha256').update(sessionToken).digest();
  return database.inTransaction(async (tx) => {
    if (!(await takeCode(tx, link.id, now, sessionHash))) return false;
    const made = { device: deviceOf(userAgent), linkToken: sessionToken };
    await sessions.start(tx, link.patientId, now, made);
    const actor = `patient:${link.patientId}`;
    const details = { by: 'dashboard link' };
    await appendAudit(tx, { actor, action: 'signed in', subject: actor, details, at: now });
    return true;
  });
}
