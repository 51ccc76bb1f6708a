import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { calls } from '@clinic/contract';
import { accessOf, mailedLink } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import {
  CODE_VALID_FOR,
  findCode,
  issueCode,
  spendOnce,
  takeCode,
} from '../../security/one-time-codes.store.ts';
import { success } from '../../server/responses.ts';
import { type ExchangedLink, type LinkRequest, route } from '../../server/http.ts';
import { subjectOf } from '../../server/known-browser.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import { deviceOf } from './sign-in.ts';
import { findAccount } from './store.ts';

/** How far the dashboard's clock may be from ours, in seconds. */
const TIME_WINDOW = 60;
/** How long an exchange may be repeated, in seconds. */
const REPEAT_WINDOW = 60;
const NOT_VALID = refuse('tokenNotValid');

/** Links that the clinic's dashboard makes for a patient: good once, and for `GET /me` alone. */
export function registerDashboardLinks(app: FastifyInstance, platform: Platform): void {
  const { config, database, keyring, ids, appendAudit } = platform;
  const { dashboardSecret, publicUrl, rates } = config;

  // A one-time sign-in link for the dashboard that knows the secret.
  route(app, calls.mintDashboardLink, async ({ body, headers, rawJson, now }) => {
    const { 'x-dashboard-time': time, 'x-dashboard-signature': signature } = headers;
    if (dashboardSecret === null) return refuse('dashboardClosed');
    const isInTime = Math.abs(now - Number(time)) <= TIME_WINDOW;
    const expected = dashboardSignature(dashboardSecret, time, rawJson);
    const isSigned = timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
    if (!isInTime || !isSigned) return refuse('dashboardRefused');

    return database.inTransaction(async (tx) => {
      // A signature is good once, and is remembered until its time would be refused anyway.
      const believedUntil = Number(time) + 2 * TIME_WINDOW;
      if (!(await spendOnce(tx, `dashboard:${signature}`, believedUntil)))
        return refuse('dashboardRefused');
      const account = await findAccount(tx, { email: body.email });
      if (account === null) return refuse('notFound');
      const keptOut = accessOf(account).signIn;
      if (keptOut !== null) return refuse(keptOut);
      // The prefix tells a link from a session without asking the database.
      const secret = `link_${ids.token()}`;
      const { id: patientId } = account;
      const link = { id: ids.uuid(), patientId, secret, now, validFor: CODE_VALID_FOR.dashboard };
      await issueCode(tx, keyring, { ...link, purpose: 'dashboard' });
      await appendAudit(tx, {
        ...ofPatient(patientId, 'sign-in link made', now),
        actor: 'system:dashboard',
      });
      // The link always has a second segment; any value but I and D is ignored.
      const url = `${mailedLink(publicUrl, 'dashboard', secret)}/${body.selectedAppType ?? 'Z'}`;
      return success({ url, expiresAt: now + link.validFor });
    });
  });

  app.callHost.exchangeLink = async (request) => {
    const { token, from, now } = request;
    if (!/^link_[\w-]{43}$/.test(token)) return NOT_VALID;
    const { memoryLimit } = app.callHost;
    const refused = memoryLimit.use(rates.tokensPerAddress, `link ${subjectOf(from)}`, now);
    return refused ?? exchange(platform, request);
  };
}

/** Hex HMAC-SHA-256 of `<time>.<body>`. */
export function dashboardSignature(secret: string, time: string, body: string): string {
  return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
}

/**
 * Takes a link once, within 5 minutes. The session token is derived from the link with the keyring, so
 * that a repeated exchange returns the same token although it is not stored.
 */
async function exchange(
  { database, keyring, sessions, appendAudit }: Platform,
  { token, now, userAgent }: LinkRequest,
): Promise<ExchangedLink | Refusal> {
  const link = await findCode(database.db, keyring, 'dashboard', token);
  const account = link && (await findAccount(database.db, { id: link.patientId }));
  if (link === null || account === null) return NOT_VALID;
  const keptOut = accessOf(account).signIn;
  if (keptOut !== null) return refuse(keptOut);
  const linkToken = Buffer.from(keyring.mac('dashboard.session', token)).toString('base64url');
  const sessionHash = createHash('sha256').update(linkToken).digest();
  const isFirst = await database.inTransaction(async (tx) => {
    if (!(await takeCode(tx, link.id, now, sessionHash))) return false;
    await sessions.start(tx, account.id, now, { device: deviceOf(userAgent), linkToken });
    await appendAudit(tx, ofPatient(account.id, 'signed in', now, { by: 'dashboard link' }));
    return true;
  });
  const found = await sessions.find(linkToken, now);
  if (found.kind !== 'signedIn') return NOT_VALID;
  if (!isFirst) {
    const taken = await findCode(database.db, keyring, 'dashboard', token);
    const isSoon = now - (taken?.usedAt ?? Number.NEGATIVE_INFINITY) <= REPEAT_WINDOW;
    if (!isSoon || !found.patient.unused) return NOT_VALID;
  }
  return { patient: found.patient, token: linkToken };
}
