import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Database } from '@clinic/service/database/db.ts';
import { appointments, standingOnDays } from '@clinic/service/modules/appointments/index.ts';
import { emrBook, placeInEmr, syncFromEmr } from '@clinic/service/modules/emr/index.ts';
import {
  findRecord,
  insertRecord,
  primaryDoctorOf,
} from '@clinic/service/modules/records/index.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import type { ProviderId } from '@clinic/service/modules/records/emr.ts';
import { invalid, sendRefusal } from '@clinic/service/server/refusal.ts';
import { type FakeEmr, type InBook, fakeEmr } from './practice-emr.ts';

/** Our booked appointments, as the EMR's calendar must have them. */
const bookedHere = async ({ db }: Database) => (await standingOnDays(db, 0)).map(placeInEmr);

/**
 * The practice EMR. It knows the patients of the practice clinic. Its calendar starts with the booked
 * appointments, and is lost when the clinic stops.
 */
export async function openPracticeEmr(database: Database, keyring: Keyring): Promise<FakeEmr> {
  const emr = fakeEmr({ days: null, booked: await bookedHere(database) });
  const own = { database, keyring, emr: null };
  const once = async <Answer>(answer: () => Promise<Answer>) => {
    await emr.reach();
    return answer();
  };
  return {
    ...emr,
    findPatient: (by) => once(() => findRecord(own, by)),
    createPatient: (chart) =>
      once(async () => {
        const { contact: _, ...record } = chart;
        const isNew = await database.inTransaction((tx) => insertRecord(tx, keyring, record));
        return isNew ? 'created' : 'alreadyThere';
      }),
    responsibleProvider: (id) => once(async () => (await primaryDoctorOf(own, id)).providerId),
  };
}

const asOneWord = ({ key, providerId, date, start, end }: InBook) =>
  [key, providerId, date, start, end].join(' ');

const TIME = z.strictObject({
  providerId: z.string().transform((id) => id as ProviderId),
  date: z.iso.date(),
  start: z.string(),
  end: z.string(),
});
const CHANGE = z.strictObject({
  faults: z
    .strictObject({
      offline: z.boolean(),
      silent: z.boolean(),
      loseNextAnswer: z.enum(['written', 'notWritten']).nullable(),
      staffBooksInBetween: z.boolean(),
    })
    .partial()
    .optional(),
  /** Syncs with the EMR now, as the service does every 20 seconds. */
  sync: z.literal(true).optional(),
  staffBook: TIME.optional(),
  staffCancel: z.string().optional(),
  staffMove: z.strictObject({ key: z.string(), to: TIME }).optional(),
  staffNote: z.strictObject({ key: z.string(), state: z.enum(['arrived', 'noShow']) }).optional(),
});

/** Routes to show and set the EMR's faults, to show its calendar, and to act in it as the clinic's staff. */
export function practiceEmrRoutes(app: FastifyInstance, emr: FakeEmr): void {
  const { database } = app.platform;
  const { faults, staff } = emr;
  let speakAgain: (() => void) | null = null;

  function beSilent(silent: boolean): void {
    if (silent === (speakAgain !== null)) return;
    speakAgain?.();
    const { promise, resolve } = Promise.withResolvers<void>();
    [faults.slow, speakAgain] = silent ? [promise, resolve] : [null, null];
  }

  app.get('/practice/emr', async () => {
    const book = emr.busy();
    const inBook = new Set(book.map(asOneWord));
    const { slow, ...on } = faults;
    return {
      faults: { ...on, silent: slow !== null },
      book,
      /** Booked here, but not in the EMR's calendar. */
      missing: (await bookedHere(database)).filter((each) => !inBook.has(asOneWord(each))),
    };
  });

  app.post('/practice/emr', { config: { limit: 'none' } }, async (request, reply) => {
    const wanted = CHANGE.safeParse(request.body);
    if (!wanted.success) return sendRefusal(reply, invalid('faults'));
    const { faults: { silent, ...switches } = {}, ...did } = wanted.data;
    const { sync, staffBook, staffCancel, staffMove, staffNote } = did;
    Object.assign(faults, switches);
    if (silent !== undefined) beSilent(silent);
    if (staffBook) staff.book(staffBook);
    const done =
      (staffCancel === undefined || staff.cancel(staffCancel)) &&
      (staffMove === undefined || staff.move(staffMove.key, staffMove.to)) &&
      (staffNote === undefined || staff.note(staffNote.key, staffNote.state));
    if (sync)
      await syncFromEmr({ ...app.platform, appointments, emrBook }, app.platform.clock.now());
    return { success: done };
  });
}
