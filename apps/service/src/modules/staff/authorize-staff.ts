import { mayAny, needsRecentFactor } from '@clinic/domain';
import type { AnyCall } from '@clinic/contract';
import type { FastifyRequest } from 'fastify';
import type { Platform } from '../../platform.ts';
import { deskCookieName, isBackground } from '../../server/authorize.ts';
import { cookieIn } from '../../server/known-browser.ts';
import { isOurPage } from '../../server/realtime.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { SESSION_LIMIT, type StaffSessions } from './sessions.store.ts';

/** How many seconds a second factor opens the calls that need a recent one. */
export const RECENT_FACTOR = 10 * 60;

export const isFactorRecent = ({ factorAt }: Pick<SignedInStaff, 'factorAt'>, now: number) =>
  now - factorAt < RECENT_FACTOR;

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
  const name = deskCookieName(publicUrl);
  const attributes = { name, httpOnly: true, secure, sameSite: 'strict' as const, path: '/' };
  return {
    read: (header: string | undefined) => cookieIn(header, name),
    set: (value: string) => ({ ...attributes, value, maxAge: SESSION_LIMIT }),
    cleared: () => ({ ...attributes, value: '', maxAge: 0 }),
  };
}

/** The one provider whose patients a clinician may see; null for staff who may see every patient. */
export const ownOnly = ({ roles, providerId }: Pick<SignedInStaff, 'roles' | 'providerId'>) =>
  mayAny(roles, 'everyProvider') ? null : (providerId ?? '');

/**
 * S-18: admits staff to a desk call, or refuses it; null for a public call. A change must come from our
 * own page, as a cookie alone does not prove who asks.
 */
export function staffAuthorizer({ config }: Pick<Platform, 'config'>, sessions: StaffSessions) {
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
    if (needsRecentFactor(privilege) && !isFactorRecent(staff, now)) return refuse('factorNeeded');
    if (!staff.isLocked && !isBackground(request)) await sessions.touch(staff, now);
    return staff;
  };
}
