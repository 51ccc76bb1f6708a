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

/** So many seconds a second factor that was shown opens what a session alone does not. */
export const RECENT_FACTOR = 10 * 60;

/** What a locked screen may still ask: who it belongs to, to be opened, and to end. */
const OPEN_WHEN_LOCKED: ReadonlySet<string> = new Set([
  'deskSession',
  'deskUnlock',
  'deskAskOwnPasskey',
  'deskLock',
  'deskSignOut',
]);

/** Over https its name keeps other hosts of the domain from setting it. It ends with the browser. */
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
 * By what a computer is known from which somebody of the staff has signed in: a word of its own, until
 * when it counts, and our MAC of both. It opens nothing; guesses from such a computer are counted for
 * itself, so that strangers who guess elsewhere make nobody wait there.
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
    /** The computer's word, or null where nobody has signed in for so long. */
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

/** The provider whose patients alone somebody sees, or null for whoever sees all. A clinician is one. */
export const ownOnly = ({ roles, providerId }: Pick<SignedInStaff, 'roles' | 'providerId'>) =>
  mayAny(roles, 'everyProvider') ? null : (providerId ?? '');

/**
 * Whether an answer is a look, which the trail has. What a page shows anew by itself is none; but that
 * it does is its word alone, and counts where this session has looked at the same before.
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

/** S-18: lets staff in to a call of the front desk, or says why not. A cookie is no proof of who asks for a change. */
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
