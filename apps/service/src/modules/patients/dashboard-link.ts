import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type CallInput, calls } from '@clinic/contract';
import { normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import {
  CODE_VALID_FOR,
  type CodeRow,
  findCode,
  issueCode,
  spendOnce,
  takeCode,
} from '../../security/one-time-codes.store.ts';
import { type ExchangedLink, type LinkRequest, route } from '../../server/http.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { deviceOf } from './device.ts';
import { whyKeptOut } from './sign-in.ts';
import { findAccount } from './store.ts';

/** Links that the clinic's dashboard makes for a patient: good once, and for `GET /me` alone. */
export function registerDashboardLinks(app: FastifyInstance, platform: Platform): void {
  route(app, calls.mintDashboardLink, async ({ body, headers, rawJson, now }) => {
    const minted = await mintLink(platform, body, {
      rawJson,
      time: headers['x-dashboard-time'],
      signature: headers['x-dashboard-signature'],
      now,
    });
    return minted instanceof Refusal ? minted : { success: true as const, extras: minted };
  });

  app.callHost.exchangeLink = (link) => exchangeLink(platform, link);
}

/** How far the dashboard's clock may be from ours, in seconds. */
const TIME_WINDOW = 60;
/** Tells a link from a session without asking the database. */
const LINK = 'link_';
/** How long the same exchange may be asked again, in seconds. */
const REPEAT_WINDOW = 60;

const NOT_VALID = refuse('tokenNotValid');

interface Signed {
  /** The body as it came, over which the dashboard signs. */
  readonly rawJson: string;
  readonly time: string;
  readonly signature: string;
  readonly now: number;
}

/** A one-time sign-in link for the dashboard that knows the secret. */
async function mintLink(
  { config, database, keyring, ids, appendAudit }: Platform,
  { email, selectedAppType }: CallInput<'mintDashboardLink'>['body'],
  { rawJson, time, signature, now }: Signed,
): Promise<{ readonly url: string; readonly expiresAt: number } | Refusal> {
  const { dashboardSecret, publicUrl } = config;
  if (dashboardSecret === null) return refuse('dashboardClosed');
  const isInTime = Math.abs(now - Number(time)) <= TIME_WINDOW;
  const expected = dashboardSignature(dashboardSecret, time, rawJson);
  const isSigned = timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
  if (!isInTime || !isSigned) return refuse('dashboardRefused');

  return database.inTransaction(async (tx) => {
    // A signature is good once; it is remembered for as long as its time would be believed.
    const believedUntil = Number(time) + 2 * TIME_WINDOW;
    if (!(await spendOnce(tx, `dashboard:${signature}`, believedUntil)))
      return refuse('dashboardRefused');
    const account = await findAccount(tx, { email: normaliseEmail(email) });
    if (account === null) return refuse('notFound');
    const keptOut = whyKeptOut(account);
    if (keptOut !== null) return refuse(keptOut);
    const token = `${LINK}${ids.token()}`;
    const validFor = CODE_VALID_FOR.dashboard;
    await issueCode(tx, keyring, {
      id: ids.uuid(),
      purpose: 'dashboard',
      patientId: account.id,
      secret: token,
      now,
      validFor,
    });
    const subject = `patient:${account.id}`;
    const actor = 'system:dashboard';
    await appendAudit(tx, { actor, action: 'sign-in link made', subject, at: now });
    // The address has a second segment always; whatever is neither I nor D is ignored.
    const url = `${publicUrl}/auth/${token}/${selectedAppType ?? 'Z'}`;
    return { url, expiresAt: now + validFor };
  });
}

/** Hex HMAC-SHA-256 of `<time>.<body>`. */
export function dashboardSignature(secret: string, time: string, body: string): string {
  return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
}

/**
 * Takes a link once, within 5 minutes. The session token follows from the link under the keyring, so
 * that a repeated exchange gives the same one without its being kept.
 */
async function exchangeLink(
  platform: Platform,
  request: LinkRequest,
): Promise<ExchangedLink | Refusal> {
  const { rateLimit, config } = platform;
  const { token, now, address } = request;
  if (!/^link_[\w-]{43}$/.test(token)) return NOT_VALID;
  const tooMany = await rateLimit.use(config.rates.linksPerAddress, address, now);
  if (tooMany !== null) return tooMany;
  const exchanged = await exchange(platform, request);
  if (!(exchanged instanceof Refusal))
    await rateLimit.giveBack(config.rates.linksPerAddress, address, now);
  return exchanged;
}

async function exchange(
  platform: Platform,
  request: LinkRequest,
): Promise<ExchangedLink | Refusal> {
  const { database, keyring, sessions } = platform;
  const { token, now } = request;
  const link = await findCode(database.db, keyring, 'dashboard', token);
  const account = link && (await findAccount(database.db, { id: link.patientId }));
  if (link === null || account === null) return NOT_VALID;
  const keptOut = whyKeptOut(account);
  if (keptOut !== null) return refuse(keptOut);
  const sessionToken = Buffer.from(keyring.mac('dashboard.session', token)).toString('base64url');
  const isFirst = await startSession(platform, link, sessionToken, request);
  const found = await sessions.find(sessionToken, now);
  if (found.kind !== 'signedIn') return NOT_VALID;
  if (!isFirst && !mayRepeat(await findCode(database.db, keyring, 'dashboard', token), now))
    return NOT_VALID;
  if (!isFirst && !found.patient.unused) return NOT_VALID;
  return { patient: found.patient, token: sessionToken };
}

const mayRepeat = (link: CodeRow | null, now: number): boolean =>
  link !== null && link.usedAt !== null && now - link.usedAt <= REPEAT_WINDOW;

/** True for the one exchange that used the link up. */
function startSession(
  { database, sessions, appendAudit }: Platform,
  { id, patientId }: CodeRow,
  sessionToken: string,
  { now, userAgent }: LinkRequest,
): Promise<boolean> {
  const sessionHash = createHash('sha256').update(sessionToken).digest();
  return database.inTransaction(async (tx) => {
    if (!(await takeCode(tx, id, now, sessionHash))) return false;
    const made = { device: deviceOf(userAgent), linkToken: sessionToken };
    await sessions.start(tx, patientId, now, made);
    const actor = `patient:${patientId}`;
    const details = { by: 'dashboard link' };
    await appendAudit(tx, { actor, action: 'signed in', subject: actor, details, at: now });
    return true;
  });
}
