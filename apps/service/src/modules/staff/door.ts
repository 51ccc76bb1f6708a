import { mayAny, needsRecentFactor } from '@clinic/domain';
import type { AnyCall } from '@clinic/contract';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type AuditEntry, hasDone } from '../../security/audit.store.ts';
import { cookieIn, isBackground } from '../../server/doors.ts';
import { isOurPage } from '../../server/realtime.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { SESSION_LIMIT, type StaffSessions } from './sessions.store.ts';

/** How many seconds a second factor opens the calls that need a recent one. */
export const RECENT_FACTOR = 10 * 60;

/** The calls that a locked screen may make: naming its user, unlocking, locking and signing out. */
const OPEN_WHEN_LOCKED: ReadonlySet<string> = new Set([
  'deskSession',
  'deskUnlock',
  'deskAskOwnPasskey',
  'deskLock',
  'deskSignOut',
]);

/** The session cookie. Over https its `__Host-` prefix keeps other hosts of the domain from setting it. */
export function deskCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-desk' : 'desk';
  const attributes = { name, httpOnly: true, secure, sameSite: 'strict' as const, path: '/' };
  return {
    read: (header: string | undefined) => cookieIn(header, name),
    set: (value: string) => ({ ...attributes, value, maxAge: SESSION_LIMIT }),
    cleared: () => ({ ...attributes, value: '', maxAge: 0 }),
  };
}

const COMPUTER_KNOWN_FOR = 90 * 24 * 60 * 60;

/**
 * The cookie that marks a computer from which staff have signed in: a random word, its expiry, and our
 * MAC of both. It grants no access. Password guesses from a marked computer are counted apart, so that
 * strangers who guess elsewhere never make staff wait there.
 */
export function computerCookie(
  publicUrl: string,
  { keyring, ids }: Pick<Platform, 'keyring' | 'ids'>,
) {
  const { name, ...attributes } = deskCookie(publicUrl).cleared();
  const named = `${name}-computer`;
  const PURPOSE = 'desk.computer';
  const macOf = (said: string) => Buffer.from(keyring.mac(PURPOSE, said)).toString('base64url');
  return {
    /** The computer's word; null when the cookie is absent, forged or expired. */
    read(cookie: (name: string) => string | null, now: number): string | null {
      const [word = '', until = '', mac = ''] = (cookie(named) ?? '').split('.');
      const isOurs = keyring.vouches(PURPOSE, `${word}.${until}`, Buffer.from(mac, 'base64url'));
      return isOurs && now < Number(until) ? word : null;
    },
    set(known: string | null, now: number) {
      const said = `${known ?? ids.token()}.${now + COMPUTER_KNOWN_FOR}`;
      const value = `${said}.${macOf(said)}`;
      return { ...attributes, name: named, value, maxAge: COMPUTER_KNOWN_FOR };
    },
  };
}

/** The one provider whose patients a clinician may see; null for staff who may see every patient. */
export const ownOnly = ({ roles, providerId }: Pick<SignedInStaff, 'roles' | 'providerId'>) =>
  mayAny(roles, 'everyProvider') ? null : (providerId ?? '');

/**
 * Whether showing something is a look, which the audit trail records. A refresh that a page makes by
 * itself is none, but the server believes that only when this session looked at the same thing before.
 */
export const isLook = async (
  db: Db,
  {
    staff,
    isBackground: saysBackground,
  }: { readonly staff: SignedInStaff; readonly isBackground: boolean },
  look: Pick<AuditEntry, 'action' | 'subject'>,
): Promise<boolean> =>
  !saysBackground || !(await hasDone(db, { actor: `staff:${staff.id}`, ...look }, staff.createdAt));

/**
 * S-18: admits staff to a desk call, or refuses it; null for a public call. A change must come from our
 * own page, as a cookie alone does not prove who asks.
 */
export function deskDoor({ config }: Pick<Platform, 'config'>, sessions: StaffSessions) {
  const cookie = deskCookie(config.publicUrl);
  return async (
    call: AnyCall,
    request: FastifyRequest,
  ): Promise<SignedInStaff | Refusal | null> => {
    const { headers, now } = request;
    if (call.method !== 'GET') {
      if (!isOurPage(headers.origin, config.publicUrl)) return refuse('notOurPage');
      const type = headers['content-type'] ?? '';
      const isForm = call.files !== undefined && /^multipart\/form-data\b/i.test(type);
      if (!isForm && !/^application\/json\b/i.test(type)) return refuse('wrongMediaType');
    }
    if (typeof call.access === 'string') return null;
    const token = cookie.read(headers.cookie);
    const staff = token === null ? null : await sessions.find(token, now);
    if (staff === null) return refuse('deskSignedOut');
    const { staff: privilege } = call.access;
    if (staff.isLocked && !OPEN_WHEN_LOCKED.has(call.id)) return refuse('deskLocked');
    if (!mayAny(staff.roles, privilege)) return refuse('notAllowed');
    if (needsRecentFactor(privilege) && now - staff.factorAt >= RECENT_FACTOR)
      return refuse('factorNeeded');
    if (!staff.isLocked && !isBackground(request)) await sessions.touch(staff, now);
    return staff;
  };
}
