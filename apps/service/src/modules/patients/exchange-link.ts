import { createHash } from 'node:crypto';
import type { Db } from '../../database/db.ts';
import type { ExchangedLink, LinkRequest } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { type CodeRow, findCode, takeCode } from '../../security/one-time-codes.store.ts';
import { accountById } from './accounts.store.ts';
import { isLinkToken } from './dashboard-link.ts';
import { deviceOf } from './device.ts';
import { type KeptOut, whyKeptOut } from './sign-in.ts';

/** how long the same exchange may be request again, in seconds. */
const REPEAT_WINDOW = 60;

export type ExchangePorts = Pick<
  Platform,
  'database' | 'keyring' | 'sessions' | 'appendAudit' | 'rateLimit' | 'config'
>;

const NOT_VALID = refuse('tokenNotValid');

/**
 * takes a link once, within 5 minutes. The session token follows from the link under the
 * keyring, so that a repeated exchange gives the same one without its being kept.
 */
export async function exchangeLink(
  ports: ExchangePorts,
  request: LinkRequest,
): Promise<ExchangedLink | Refusal> {
  const { token, now, address } = request;
  if (!isLinkToken(token)) return NOT_VALID;
  const { rateLimit, config } = ports;
  const tooMany = await rateLimit.use(config.rates.linksPerAddress, address, now);
  if (tooMany !== null) return tooMany;
  const exchanged = await exchange(ports, request);
  if (!(exchanged instanceof Refusal))
    await rateLimit.giveBack(config.rates.linksPerAddress, address, now);
  return exchanged;
}

async function exchange(
  ports: ExchangePorts,
  request: LinkRequest,
): Promise<ExchangedLink | Refusal> {
  const { database, keyring, sessions } = ports;
  const { token, now } = request;
  const link = await findCode(database.db, keyring, 'dashboard', token);
  if (link === null) return NOT_VALID;
  const code = await keptOutNow(database.db, link.patientId);
  if (code !== null) return refuse(code);
  const sessionToken = Buffer.from(keyring.mac('dashboard.session', token)).toString('base64url');
  const isFirst = await startSession(ports, link, sessionToken, request);
  const found = await sessions.find(sessionToken, now);
  if (found.kind !== 'signedIn') return NOT_VALID;
  if (!isFirst && !mayRepeat(await findCode(database.db, keyring, 'dashboard', token), now))
    return NOT_VALID;
  if (!isFirst && !found.patient.unused) return NOT_VALID;
  return { patient: found.patient, token: sessionToken };
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
  { now, userAgent }: LinkRequest,
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
