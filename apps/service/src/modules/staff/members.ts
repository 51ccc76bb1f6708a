import { deskCalls } from '@clinic/contract';
import { mailText } from '@clinic/contract/mail-texts';
import { type StaffRole, mailedLink, mayAny, normaliseEmail } from '@clinic/domain';
import { ENGLISH } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { AuditEntry, Who } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import { forgetDevices } from '../../security/known-devices.store.ts';
import { type EmailPart, emailTime, signed } from '../../server/email-layout.ts';
import { DONE, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { isDoctor } from '../records/index.ts';
import { harmAtDesk } from './harm-limits.ts';
import { endStaffSessions } from './sessions.store.ts';
import {
  type Colleague,
  type StaffMember,
  closeStaff,
  endInvitations,
  forgetFactors,
  hasInvitationSince,
  insertInvitation,
  insertStaff,
  invitationById,
  listColleagues,
  lockStaff,
  staffByEmail,
  staffById,
} from './store.ts';

/** In seconds. */
export const INVITATION_VALID_FOR = 24 * 60 * 60;
/** Within this time the same is asked for again because an answer was lost, and not done twice. */
export const AGAIN_SECONDS = 120;
export const OUTBOX_KIND = 'staff-email';

/** An audit entry about a member of staff, who is also its actor unless the caller overrides `actor`. */
export const ofStaff = (id: string, action: string, at: number): AuditEntry => ({
  actor: `staff:${id}`,
  action,
  subject: `staff:${id}`,
  at,
});

const INDEX = 'staff.invitation';
const tokenFrom = (mac: Uint8Array) => Buffer.from(mac).toString('base64url');

/** The token in the mailed link: derived from the invitation's id, so that no table stores it. */
const tokenOf = (keyring: Pick<Keyring, 'mac'>, invitationId: string): string =>
  tokenFrom(keyring.mac(INDEX, invitationId));

/** The same token, also once the keys have changed. */
function keptTokenOf(
  keyring: Pick<Keyring, 'macs' | 'blindIndexes'>,
  { id, tokenHash }: { readonly id: string; readonly tokenHash: Uint8Array },
): string | undefined {
  const isKept = (hash: Uint8Array) => Buffer.compare(hash, tokenHash) === 0;
  return keyring
    .macs(INDEX, id)
    .map(tokenFrom)
    .find((token) => keyring.blindIndexes(INDEX, token).some(isKept));
}

/** The token's hashes under every key that an invitation may still be stored with. */
export const invitationHashes = (keyring: Pick<Keyring, 'blindIndexes'>, token: string) =>
  keyring.blindIndexes(INDEX, token);

export interface Invited {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** The provider that a clinician is; null for other roles. */
  readonly providerId: string | null;
}

/** The operator invites, at once, and managers are told of a new one. Null when it is on its way, else why not. */
export async function inviteStaff(
  platform: Platform,
  invited: Invited,
  { actor, now }: Who,
): Promise<NotInvited | null> {
  return platform.database.inTransaction(async (tx) => {
    const { roles } = invited;
    // Told first, so that the new one is not told of themselves.
    if (mayAny(roles, 'harmMany') && (await whatInvites(tx, invited, now)) === 'new')
      await harmAtDesk(platform).tell(tx, { actor, now }, { act: 'invite', roles });
    return inviteIn(platform, tx, invited, { actor, now });
  });
}

type NotInvited = 'staffExists' | 'clinicianWithoutProvider';

const providerOf = ({ roles, providerId }: Pick<Invited, 'roles' | 'providerId'>) =>
  roles.includes('clinician') ? providerId : null;

/** `again`: they were invited just so a moment ago, as the answer was lost. */
async function whatInvites(
  tx: Tx,
  invited: Invited,
  now: number,
): Promise<'new' | 'again' | NotInvited> {
  const { roles, name } = invited;
  const own = providerOf(invited);
  if (roles.includes('clinician') && (own === null || !(await isDoctor(tx, own))))
    return 'clinicianWithoutProvider';
  const member = await staffByEmail(tx, normaliseEmail(invited.email));
  if (member === null) return 'new';
  const isSame =
    member.name === name &&
    member.providerId === own &&
    member.roles.toSorted().join() === roles.toSorted().join() &&
    (await isInvitedNow(tx, member, now));
  return isSame ? 'again' : 'staffExists';
}

/** Invites within a transaction; null when the invitation is on its way, else why not. */
export async function inviteIn(
  platform: Platform,
  tx: Tx,
  invited: Invited,
  { actor, now }: Who,
): Promise<NotInvited | null> {
  const { ids, appendAudit } = platform;
  const { roles, name } = invited;
  const id = ids.uuid();
  const row = { id, email: normaliseEmail(invited.email), name, roles, now };
  const before = await whatInvites(tx, invited, now);
  const isInserted =
    before === 'new' && (await insertStaff(tx, { ...row, providerId: providerOf(invited) }));
  if (!isInserted) {
    const is = before === 'new' ? await whatInvites(tx, invited, now) : before;
    return is === 'again' || is === 'new' ? null : is;
  }
  await appendAudit(tx, { ...ofStaff(id, 'staff invited', now), actor, details: { roles } });
  await sendInvitation(platform, tx, id, 'invited', now);
  return null;
}

/** The operator or the colleague who changes a staff account. */
interface Changer extends Who {
  /** The colleague's id; absent for the operator. */
  readonly staffId?: string;
}

type NotChanged = 'staffClosed' | 'deskSignedOut';

/**
 * Locks the account and that of the colleague who changes it, and returns why it cannot be changed, or
 * null. A colleague who was closed or reset a moment ago changes nobody, so of two managers who close
 * each other one is left.
 */
export async function whyNotChanged(
  tx: Tx,
  id: string,
  staffId?: string,
): Promise<NotChanged | null> {
  const locked = await lockStaff(tx, staffId === undefined ? [id] : [id, staffId]);
  for (const { id: of, closedAt, passwordHash } of locked) {
    if (of === staffId && (closedAt !== null || passwordHash === null)) return 'deskSignedOut';
  }
  return locked.some((each) => each.id === id && each.closedAt === null) ? null : 'staffClosed';
}

/**
 * Voids the password, second factor, passkeys and recovery codes, ends every session and mails a new
 * invitation. Also renews an invitation that ran out. Null when done, else why not.
 */
export async function resetFactor(
  platform: Platform,
  { id }: Pick<StaffMember, 'id'>,
  { actor, now, staffId }: Changer,
): Promise<NotChanged | null> {
  return platform.database.inTransaction(async (tx) => {
    const why = await whyNotChanged(tx, id, staffId);
    if (why !== null) return why;
    const member = await staffById(tx, id);
    // The operator's command does not lose its answer.
    if (staffId !== undefined && member !== null && (await isInvitedNow(tx, member, now)))
      return null;
    await forgetFactors(tx, id);
    await forgetDevices(tx, id);
    await endStaffSessions(platform, tx, { staffId: id }, now);
    await platform.appendAudit(tx, { ...ofStaff(id, 'second factor reset', now), actor });
    await sendInvitation(platform, tx, id, 'factorReset', now);
    return null;
  });
}

/** Closes a staff account to sign-ins; its audit entries stay. Null when done, else why not. */
export async function closeStaffAccount(
  platform: Platform,
  { id }: Pick<StaffMember, 'id'>,
  { actor, now, staffId }: Changer,
): Promise<NotChanged | null> {
  const { database, appendAudit, outbox } = platform;
  return database.inTransaction(async (tx) => {
    const why = await whyNotChanged(tx, id, staffId);
    if (why !== null) return why;
    await closeStaff(tx, id, now);
    await forgetDevices(tx, id);
    await endStaffSessions(platform, tx, { staffId: id }, now);
    await endInvitations(tx, id, now);
    await appendAudit(tx, { ...ofStaff(id, 'staff account closed', now), actor });
    await outbox.enqueue(tx, OUTBOX_KIND, { email: 'closed', staffId: id }, now);
    return null;
  });
}

/** Whether an invitation that they have not used yet was made a moment ago. */
const isInvitedNow = async (
  tx: Tx,
  { id, passwordHash, closedAt }: StaffMember,
  now: number,
): Promise<boolean> =>
  passwordHash === null &&
  closedAt === null &&
  (await hasInvitationSince(tx, id, now - AGAIN_SECONDS));

async function sendInvitation(
  { ids, keyring, outbox }: Platform,
  tx: Tx,
  staffId: string,
  email: 'invited' | 'factorReset',
  now: number,
): Promise<void> {
  const id = ids.uuid();
  const tokenHash = keyring.blindIndex(INDEX, tokenOf(keyring, id));
  const expiresAt = now + INVITATION_VALID_FOR;
  await insertInvitation(tx, { id, staffId, tokenHash, createdAt: now, expiresAt });
  await outbox.enqueue(tx, OUTBOX_KIND, { email, invitationId: id }, now);
}

/** Writes and sends the emails to staff, in English. The link is made only here, when it is mailed. */
export function handleStaffEmails(platform: Platform): void {
  const { outbox, mail, config } = platform;
  const locale = ENGLISH.id;
  outbox.handle(OUTBOX_KIND, async ({ email, invitationId, staffId, at }, key) => {
    const written =
      email === 'invited' || email === 'factorReset'
        ? await invitation(platform, email, String(invitationId))
        : await notice(platform, email, {
            id: String(staffId),
            at: typeof at === 'number' ? at : null,
          });
    if (written === null) return;
    const { to, subject, parts } = written;
    const text = signed(locale, config.clinic, mailText(locale, subject), parts);
    await mail.send({ key: `staff:${key}`, to, ...text });
  });

  async function invitation({ database, keyring, clock }: Platform, email: unknown, id: string) {
    const found = await invitationById(database.db, id);
    if (found === null || found.expiresAt <= clock.now()) return null;
    const token = keptTokenOf(keyring, { id, tokenHash: found.tokenHash });
    if (token === undefined) throw new Error('An invitation of a key that the keyring lacks');
    const isReset = email === 'factorReset';
    const parts: EmailPart[] = [
      mailText(locale, isReset ? 'staffReset' : 'staffInvited', { name: found.name }),
      {
        label: mailText(locale, 'staffOpen'),
        link: mailedLink(config.publicUrl, 'staff', token),
      },
      mailText(locale, 'staffValid', { until: emailTime(locale, found.expiresAt) }),
      mailText(locale, 'staffNotYou'),
    ];
    const subject = isReset ? ('staffResetSubject' as const) : ('staffInvitedSubject' as const);
    return { to: found.email, subject, parts };
  }

  async function notice({ database }: Platform, email: unknown, { id, at }: About) {
    const member = await staffById(database.db, id);
    if (member === null) return null;
    const values = { name: member.name, when: at === null ? '' : emailTime(locale, at) };
    const { subject, says } = NOTICES[String(email)] ?? NOTICES.passkeyRemoved;
    return { to: member.email, subject, parts: says.map((code) => mailText(locale, code, values)) };
  }
}

interface About {
  readonly id: string;
  /** Null of an email that names no time. */
  readonly at: number | null;
}

type MailCode = Parameters<typeof mailText>[1];

interface Notice {
  readonly subject: MailCode;
  readonly says: readonly MailCode[];
}

/** What staff are told of by email, with the paragraphs of each email. */
const NOTICES: Readonly<Record<string, Notice>> & { readonly passkeyRemoved: Notice } = {
  closed: { subject: 'staffClosedSubject', says: ['staffClosed'] },
  passwordChanged: { subject: 'staffPasswordSubject', says: ['staffPassword', 'passkeyNotYou'] },
  wrongCodes: {
    subject: 'wrongCodesSubject',
    says: ['wrongCodes', 'wrongCodesYou', 'wrongCodesNotYou'],
  },
  passkeyAdded: { subject: 'passkeyAddedSubject', says: ['passkeyAdded', 'passkeyNotYou'] },
  passkeyRemoved: { subject: 'passkeyRemovedSubject', says: ['passkeyRemoved', 'passkeyNotYou'] },
};

/** Managers administer staff accounts here; operators do so with `npm run clinic -- staff`. */
export function registerMembers(app: FastifyInstance, platform: Platform): void {
  const { database, realtime } = platform;
  const harm = harmAtDesk(platform);
  route(app, deskCalls.deskInvite, async ({ body, staff, now, who }) => {
    const { name, roles, providerId = null } = body;
    const invited = { name, email: normaliseEmail(body.email), roles, providerId };
    const asked = { act: 'invite' as const, roles };
    const outcome = await database.inTransaction(async (tx) => {
      const is = await whatInvites(tx, invited, now);
      if (is === 'staffExists' || is === 'clinicianWithoutProvider') return refuse(is);
      const act = is === 'new' ? await harm.waitIn(tx, staff, asked, invited, now) : null;
      if (act !== null) return act;
      const why = await inviteIn(platform, tx, invited, who);
      return why === null ? null : refuse(why);
    });
    if (outcome instanceof Refusal) return outcome;
    if (outcome !== null) realtime.sayToDesk();
    return success({ waitsUntil: outcome?.waitsUntil ?? null });
  });

  route(app, deskCalls.deskStaffList, async ({ staff }) => {
    const all = await listColleagues(database.db);
    return success({
      staff: all.map((each) => ({
        ...each,
        standing: standingOf(each),
        isOwn: each.id === staff.id,
      })),
    });
  });

  // Nobody closes or resets their own account here, so that a manager is always left.
  route(app, deskCalls.deskResetFactor, async ({ params: { id }, staff, who }) => {
    if (id === staff.id) return refuse('ownStaffAccount');
    const member = await staffById(database.db, id);
    if (member === null) return refuse('notFound');
    const changer = { ...who, staffId: staff.id };
    const why = await resetFactor(platform, member, changer);
    return why === null ? DONE : refuse(why);
  });

  route(app, deskCalls.deskCloseStaff, async ({ params: { id }, staff, who }) => {
    if (id === staff.id) return refuse('ownStaffAccount');
    const member = await staffById(database.db, id);
    if (member === null) return refuse('notFound');
    const changer = { ...who, staffId: staff.id };
    const why = await closeStaffAccount(platform, member, changer);
    return why === 'deskSignedOut' ? refuse(why) : DONE;
  });
}

function standingOf({ closedAt, hasPassword }: Colleague) {
  if (closedAt !== null) return 'closed' as const;
  return hasPassword ? ('open' as const) : ('invited' as const);
}
