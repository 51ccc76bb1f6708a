import { deskCalls } from '@clinic/contract';
import { mailText } from '@clinic/contract/mail-texts';
import { type StaffRole, normaliseEmail } from '@clinic/domain';
import { ENGLISH } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { AuditEntry, Who } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import { type EmailPart, emailTime, signed } from '../../server/emails.ts';
import { route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import { isDoctor } from '../records/index.ts';
import { endStaffSessions } from './sessions.store.ts';
import {
  type StaffMember,
  closeStaff,
  endInvitations,
  forgetFactors,
  insertInvitation,
  insertStaff,
  invitationById,
  listStaff,
  lockStaff,
  staffById,
} from './store.ts';

/** In seconds. */
export const INVITATION_VALID_FOR = 24 * 60 * 60;
export const OUTBOX_KIND = 'staff-email';

type StaffEmail = 'invited' | 'factorReset';

/** An audit entry about a member of staff, who is also its actor unless the caller overrides `actor`. */
export const ofStaff = (id: string, action: string, at: number): AuditEntry => ({
  actor: `staff:${id}`,
  action,
  subject: `staff:${id}`,
  at,
});

/** The token in the mailed link: derived from the invitation's id, so that no table stores it. */
const tokenOf = (keyring: Pick<Keyring, 'mac'>, invitationId: string): string =>
  Buffer.from(keyring.mac('staff.invitation', invitationId)).toString('base64url');

const INDEX = 'staff.invitation';

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

/** Invites a new member of staff by email. Null when the invitation is on its way, else why not. */
export async function inviteStaff(
  platform: Platform,
  invited: Invited,
  { actor, now }: Who,
): Promise<'staffExists' | 'clinicianWithoutProvider' | null> {
  const { database, ids, appendAudit } = platform;
  const { roles, providerId, name } = invited;
  const isClinician = roles.includes('clinician');
  if (isClinician && (providerId === null || !(await isDoctor(database.db, providerId))))
    return 'clinicianWithoutProvider';
  const id = ids.uuid();
  const email = normaliseEmail(invited.email);
  return database.inTransaction(async (tx) => {
    const own = isClinician ? providerId : null;
    if (!(await insertStaff(tx, { id, email, name, roles, providerId: own, now })))
      return 'staffExists' as const;
    await appendAudit(tx, { ...ofStaff(id, 'staff invited', now), actor, details: { roles } });
    await sendInvitation(platform, tx, { staffId: id, email: 'invited', now });
    return null;
  });
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
    await forgetFactors(tx, id);
    await endStaffSessions(tx, id, now);
    await platform.appendAudit(tx, { ...ofStaff(id, 'second factor reset', now), actor });
    await sendInvitation(platform, tx, { staffId: id, email: 'factorReset', now });
    return null;
  });
}

/** Closes a staff account to sign-ins; its audit entries stay. Null when done, else why not. */
export async function closeStaffAccount(
  { database, appendAudit, outbox }: Platform,
  { id }: Pick<StaffMember, 'id'>,
  { actor, now, staffId }: Changer,
): Promise<NotChanged | null> {
  return database.inTransaction(async (tx) => {
    const why = await whyNotChanged(tx, id, staffId);
    if (why !== null) return why;
    await closeStaff(tx, id, now);
    await endStaffSessions(tx, id, now);
    await endInvitations(tx, id, now);
    await appendAudit(tx, { ...ofStaff(id, 'staff account closed', now), actor });
    await outbox.enqueue(tx, OUTBOX_KIND, { email: 'closed', staffId: id }, now);
    return null;
  });
}

async function sendInvitation(
  { ids, keyring, outbox }: Platform,
  tx: Tx,
  {
    staffId,
    email,
    now,
  }: { readonly staffId: string; readonly email: StaffEmail; readonly now: number },
): Promise<void> {
  const id = ids.uuid();
  const tokenHash = keyring.blindIndex(INDEX, tokenOf(keyring, id));
  const expiresAt = now + INVITATION_VALID_FOR;
  await insertInvitation(tx, { id, staffId, tokenHash, now, expiresAt });
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
        : await notice(platform, email, { id: String(staffId), at: Number(at) });
    if (written === null) return;
    const { to, subject, parts } = written;
    const said = signed(locale, config.clinic, mailText(locale, subject), parts);
    await mail.send({ key: `staff:${key}`, to, ...said });
  });

  async function invitation({ database, keyring, clock }: Platform, email: unknown, id: string) {
    const found = await invitationById(database.db, id);
    if (found === null || found.expiresAt <= clock.now()) return null;
    const isReset = email === 'factorReset';
    const parts: EmailPart[] = [
      mailText(locale, isReset ? 'staffReset' : 'staffInvited', { name: found.name }),
      // The token follows the '#', because browsers never send that part to a server.
      {
        label: mailText(locale, 'staffOpen'),
        link: `${config.publicUrl}/desk/invitation#${tokenOf(keyring, id)}`,
      },
      mailText(locale, 'staffValid', { until: emailTime(locale, found.expiresAt) }),
      mailText(locale, 'staffNotYou'),
    ];
    const subject = isReset ? ('staffResetSubject' as const) : ('staffInvitedSubject' as const);
    return { to: found.email, subject, parts };
  }

  async function notice(
    { database }: Platform,
    email: unknown,
    { id, at }: { readonly id: string; readonly at: number },
  ) {
    const member = await staffById(database.db, id);
    if (member === null) return null;
    const { name, email: to } = member;
    if (email === 'closed') {
      const parts: EmailPart[] = [mailText(locale, 'staffClosed', { name })];
      return { to, subject: 'staffClosedSubject' as const, parts };
    }
    const what = email === 'passkeyAdded' ? ('passkeyAdded' as const) : ('passkeyRemoved' as const);
    const parts: EmailPart[] = [
      mailText(locale, what, { name, when: emailTime(locale, at) }),
      mailText(locale, 'passkeyNotYou'),
    ];
    return { to, subject: `${what}Subject` as const, parts };
  }
}

/** Managers administer staff accounts here; operators do so with `npm run clinic -- staff`. */
export function registerMembers(app: FastifyInstance, platform: Platform): void {
  route(app, deskCalls.deskInvite, async ({ body, staff, now }) => {
    const invited = { ...body, providerId: body.providerId ?? null };
    const why = await inviteStaff(platform, invited, { actor: `staff:${staff.id}`, now });
    return why === null ? { success: true as const } : refuse(why);
  });

  route(app, deskCalls.deskStaffList, async ({ staff }) => {
    const all = await listStaff(platform.database.db);
    return {
      success: true as const,
      extras: {
        staff: all.map(({ id, name, email, roles, providerId, passwordHash, closedAt }) => ({
          id,
          name,
          email,
          roles: [...roles],
          providerId,
          standing: standingOf(closedAt, passwordHash),
          isOwn: id === staff.id,
        })),
      },
    };
  });

  // Nobody closes or resets their own account here, so that a manager is always left.
  route(app, deskCalls.deskResetFactor, async ({ params: { id }, staff, now }) => {
    if (id === staff.id) return refuse('ownStaffAccount');
    const member = await staffById(platform.database.db, id);
    if (member === null) return refuse('notFound');
    const changer = { actor: `staff:${staff.id}`, staffId: staff.id, now };
    const why = await resetFactor(platform, member, changer);
    return why === null ? { success: true as const } : refuse(why);
  });

  route(app, deskCalls.deskCloseStaff, async ({ params: { id }, staff, now }) => {
    if (id === staff.id) return refuse('ownStaffAccount');
    const member = await staffById(platform.database.db, id);
    if (member === null) return refuse('notFound');
    const changer = { actor: `staff:${staff.id}`, staffId: staff.id, now };
    const why = await closeStaffAccount(platform, member, changer);
    return why === 'deskSignedOut' ? refuse(why) : { success: true as const };
  });
}

function standingOf(
  closedAt: number | null,
  passwordHash: string | null,
): 'open' | 'invited' | 'closed' {
  if (closedAt !== null) return 'closed';
  return passwordHash === null ? 'invited' : 'open';
}
