import { type CallAnswer, deskCalls } from '@clinic/contract';
import { type EpochSeconds, mayAny } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import { cancellationWantedBy } from '../../../security/audit.store.ts';
import { DONE, success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { Refusal, refuse } from '../../../server/refusal.ts';
import { appointments } from '../../appointments/index.ts';
import { emrBook, decideMissing } from '../../emr/index.ts';
import { type Closing, closingById, newestClosings, reopenTime } from '../../closings/index.ts';
import { providersAtDesk } from '../day/booking.store.ts';
import { openedRow } from '../day/day-sheet.store.ts';
import {
  namesOfStaff,
  type Invited,
  actById,
  endAct,
  harmAtDesk,
  inviteIn,
  lockStaff,
  shownActs,
  stopAct,
  takeDueInvitation,
} from '../../staff/index.ts';
import { missingAtDesk } from './missing-in-emr.store.ts';

type Shown = CallAnswer<'deskWaiting'>['extras']['acts'][number];

/** The most closings that are shown; those that wait come first. */
const MOST_CLOSINGS = 20;

/** Whether nothing of a closing was given up yet, because it waits. */
export const canBeStopped = (
  { waitsUntil, reopenedAt }: Pick<Closing, 'waitsUntil' | 'reopenedAt'>,
  now: EpochSeconds,
): boolean => waitsUntil !== null && waitsUntil > now && reopenedAt === null;

/** Everybody at the desk sees what waits because it harms many, and can stop it. */
export function registerWaiting(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, realtime } = platform;
  const { db } = database;
  const harm = harmAtDesk(platform);

  route(app, deskCalls.deskWaiting, async ({ staff, now }) => {
    const mayDecide = platform.emr !== null && mayAny(staff.roles, 'cancelAppointment');
    const [closings, acts, nameOf, providers, gone] = await Promise.all([
      newestClosings(db, MOST_CLOSINGS, now),
      shownActs(db, staff.id, now),
      namesOfStaff(db),
      providersAtDesk(db),
      mayDecide ? missingAtDesk(db, now) : [],
    ]);
    const closed = closings.flatMap((closing): Shown[] => {
      const { askedBy, waitsUntil, providerIds, from, to, total } = closing;
      if (waitsUntil === null || !canBeStopped(closing, now)) return [];
      const isEverybody = providers.every((each) => providerIds.includes(each.id));
      const whose = providerIds.map((of) => providers.find((each) => each.id === of)?.name ?? of);
      return [
        {
          ...closing,
          act: 'close',
          askedBy: nameOf(askedBy),
          isOwn: askedBy === `staff:${staff.id}`,
          waitsUntil,
          state: 'waiting',
          stopped: null,
          n: total,
          time: { from, to, providers: isEverybody ? [] : whose },
          invited: null,
        },
      ];
    });
    const others = acts.map((each): Shown => {
      const { act, askedBy, waitsUntil, outcome, overAt, stoppedBy, people } = each;
      const { name, email } = each.asked as Partial<Invited>;
      return {
        ...each,
        askedBy: nameOf(askedBy),
        isOwn: askedBy === staff.id,
        state: outcome ?? (act === 'export' && waitsUntil <= now ? 'ready' : 'waiting'),
        stopped: outcome === 'stopped' ? { by: nameOf(stoppedBy), at: overAt ?? 0 } : null,
        n: people,
        time: null,
        invited: act === 'invite' ? { name: name ?? '', email: email ?? '' } : null,
      };
    });
    return success({ acts: [...closed, ...others], gone });
  });

  route(app, deskCalls.deskDecideGone, async ({ params: { id }, body: { is }, staff, now }) => {
    const row = await openedRow(db, id);
    if (row === null) return refuse('notFound');
    // It was pressed before, and the answer was lost.
    if (is === 'cancelled' && row.state === 'cancelled')
      return (await cancellationWantedBy(db, id)) === 'clinic'
        ? DONE
        : refuse('appointmentChanged');
    const decide = () =>
      decideMissing({ ...platform, appointments, emrBook }, row, is, { by: staff.id, now });
    const outcome =
      is === 'kept'
        ? await decide()
        : await harm.change(staff, { wantedBy: 'clinic', now }, decide);
    if (outcome instanceof Refusal) return outcome;
    return outcome ? DONE : refuse('appointmentChanged');
  });

  route(app, deskCalls.deskStop, async ({ params: { id }, staff, now, who }) => {
    const stopped = await database.inTransaction(async (tx) => {
      const act = await stopAct(tx, { id, by: staff.id, now });
      if (act !== null)
        await appendAudit(tx, {
          actor: who.actor,
          action: act.act === 'export' ? 'export stopped' : 'invitation stopped',
          subject: `staff:${act.askedBy}`,
          at: now,
        });
      return act ?? (await actById(tx, id));
    });
    if (stopped !== null && stopped.outcome !== 'stopped') return refuse('stopOver');
    if (stopped === null) {
      const closing = await closingById(db, id);
      if (closing === null) return refuse('notFound');
      if (closing.reopenedAt === null) {
        if (!canBeStopped(closing, now)) return refuse('stopOver');
        await reopenTime(platform, id, who);
      }
    }
    realtime.sayToDesk();
    return DONE;
  });
}

/** Carries out the invitations that nobody has stopped. */
export async function workOnInvitations(platform: Platform): Promise<void> {
  const { database, clock, realtime } = platform;
  while (await database.inTransaction((tx) => inviteNext(platform, tx, clock.now())))
    realtime.sayToDesk();
}

/** A member of staff whose account was closed or reset within the five minutes invites nobody. */
async function inviteNext(platform: Platform, tx: Tx, now: EpochSeconds) {
  const act = await takeDueInvitation(tx, now);
  if (act === null) return false;
  const { id, askedBy, asked } = act;
  const [asker] = await lockStaff(tx, [askedBy]);
  const mayInvite =
    asker !== undefined &&
    asker.closedAt === null &&
    asker.passwordHash !== null &&
    mayAny(asker.roles, 'staff');
  const actor = `staff:${askedBy}`;
  const why = mayInvite
    ? await inviteIn(platform, tx, asked as unknown as Invited, { actor, now })
    : 'deskSignedOut';
  await endAct(tx, id, why === null ? 'done' : 'failed', now);
  if (why !== null)
    await platform.appendAudit(tx, { actor, action: 'invitation failed', subject: actor, at: now });
  return true;
}
