import { z } from 'zod';
import { call } from '../call.ts';
import { done, envelope, epochSeconds, uuid } from '../shapes.ts';

const waitingAct = z.object({
  id: z.uuid(),
  act: z.enum(['close', 'export', 'invite']),
  /** Null when the operator asked. */
  askedBy: z.string().nullable(),
  isOwn: z.boolean(),
  askedAt: epochSeconds,
  /** Nothing comes of it before; an export can be fetched from then on. */
  waitsUntil: epochSeconds,
  /**
   * `waiting`: it can be stopped. `ready`: the export can be fetched. `done`: the invitation is mailed.
   * `failed`: nobody is invited, as the address has an account by now or whoever asked is no longer a manager.
   */
  state: z.enum(['waiting', 'ready', 'done', 'stopped', 'failed']),
  stopped: z.object({ by: z.string().nullable(), at: epochSeconds }).nullable(),
  /** How many appointments stand in closed time, or how many people an export shows. */
  n: z.int().min(0),
  /** The time that is closed, and whose; `providers` is empty where it is everybody's. */
  time: z
    .object({ from: epochSeconds, to: epochSeconds, providers: z.array(z.string()) })
    .nullable(),
  /** Who is invited. */
  invited: z.object({ name: z.string(), email: z.string() }).nullable(),
});

export type ApiWaitingAct = z.infer<typeof waitingAct>;

const goneAppointment = z.object({
  id: z.uuid(),
  start: epochSeconds,
  provider: z.string(),
  /** When it is cancelled if nobody decides; null where so many are gone that none is cancelled by itself. */
  until: epochSeconds.nullable(),
});

export type ApiGoneAppointment = z.infer<typeof goneAppointment>;

/** What harms many and waits, so that everybody at the desk can stop it. */
export const deskWaitingCalls = {
  deskWaiting: call('deskWaiting', {
    summary:
      'What harms many and can still be stopped, what became of one’s own exports and invitations of a day, and which appointments are gone from the EMR.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({
      acts: z.array(waitingAct),
      /** Those that this person may decide on; left out by a version that does not look for them. */
      gone: z.array(goneAppointment).optional(),
    }),
  }),
  deskDecideGone: call('deskDecideGone', {
    summary:
      'Say that an appointment which is gone from the EMR stands all the same, or that it is cancelled: then its patient is told and paid back.',
    section: 'S-18, R-94 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: z.strictObject({ is: z.enum(['kept', 'cancelled']) }),
    answer: done,
    refusals: [409, 503],
  }),
  deskStop: call('deskStop', {
    summary: 'Stop what waits: closed time is open again, nothing is exported, nobody is invited.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: z.strictObject({}),
    answer: done,
    refusals: [409],
  }),
};
