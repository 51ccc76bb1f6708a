import { calls } from '@clinic/contract';
import { type ClinicDate, type EpochSeconds, dollarsOf, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';

import { batched } from '../../database/db.ts';
import type { SignedIn } from '../../security/sessions.store.ts';
import { Prepared, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { scheduleCache, scheduleRange } from './schedule-response.ts';
import { type Versions, scheduleDays, scheduleVersions } from './days.ts';
import { type EarliestPorts, earliestSlot } from './earliest-slot.ts';
import { listProviders, readChanges, readDays, readLengths, readTaken } from './store.ts';
import { patientsOfTypes, readOffers, whyNotOpen } from './types.store.ts';
import type { TakenTime } from './store.ts';
import type { AskedOfType, PatientOfType, PatientsWhoBook, TypeOffer } from './types.store.ts';

const ALL_PROVIDERS = '-1';
/** How long a question waits for an earlier one, which the database may never answer. */
const PATIENCE_MS = 1_000;

/** The offer of a type to a patient on a day. */
const offerOf = (
  offers: readonly TypeOffer[],
  type: string,
  { eligibility, disabledTypes }: Pick<SignedIn, 'eligibility' | 'disabledTypes'>,
  day: ClinicDate,
) =>
  disabledTypes.includes(type)
    ? null
    : offers.find(
        (each) => each.type === type && each.eligibility === eligibility && each.since <= day,
      );

/** Doctors, what the clinic says of them, their schedule, and what an appointment costs. */
export function registerSchedule(
  app: FastifyInstance,
  parts: Pick<EarliestPorts, 'database' | 'emr'> & {
    readonly takenTime: TakenTime;
    readonly patientsWhoBook: PatientsWhoBook;
  },
): void {
  const { database, emr, takenTime, patientsWhoBook } = parts;
  const versions = scheduleVersions();
  const askVersions = batched<null, Versions>(async (asked) => {
    const found = versions.after(await readChanges(database.db, takenTime, versions.since()));
    return asked.map(() => found);
  }, PATIENCE_MS);
  const askNewest = () => askVersions(null);
  const days = scheduleDays({
    rules: async () => {
      const [lengths, providers, offers] = await Promise.all([
        readLengths(database.db),
        listProviders(database.db),
        readOffers(database.db),
      ]);
      return { lengths, providers, offers };
    },
    templates: (range) => readDays(database.db, range),
    taken: (range, now) => readTaken(database.db, takenTime, range, now),
  });
  const answer = scheduleCache();
  const patientOfType = batched<AskedOfType, PatientOfType>(
    (asked) => patientsOfTypes(database.db, patientsWhoBook, asked),
    PATIENCE_MS,
  );
  const ofCaller = (patientId: string, type: string, now: EpochSeconds) =>
    patientOfType({ patientId, type, day: toClinic(now).date });

  route(app, calls.listDoctors, async () =>
    (await listProviders(database.db)).filter(({ status }) => !status.hidden),
  );

  route(app, calls.doctorStatus, async () =>
    Object.fromEntries(
      (await listProviders(database.db)).map(({ id, status }) => [
        id,
        {
          scheduledisable: status.disabled,
          scheduledcomment: status.comment,
          noscheduledisplay: status.hidden,
          onlyFamilyDoctor: status.familyOnly,
          noPCP: status.noPcp,
        },
      ]),
    ),
  );

  route(
    app,
    calls.doctorSchedule,
    async ({ query, patient, now }, newest) => {
      const range = scheduleRange(query.from, query.to, now);
      if ('code' in range) return invalid(range.field, range.code);
      const providerId = query.id === ALL_PROVIDERS ? null : query.id;
      const type = query.type ?? null;
      const found = days(newest, now);
      if (type !== null) {
        const { offers } = await found.rules();
        const closed = whyNotOpen(offerOf(offers, type, patient, toClinic(now).date));
        if (closed) return refuse(closed);
      }
      return new Prepared(await answer(found, { range, providerId, type }, patient.id));
    },
    askNewest,
  );

  route(
    app,
    calls.earliestSlot,
    async ({ query: { type, id }, patient, now }, newest) => {
      const providerId = id === ALL_PROVIDERS ? null : id;
      const search = { database, emr, patientOfType, days: days(newest, now) };
      const found = await earliestSlot(search, { patientId: patient.id, type, providerId }, now);
      return typeof found === 'string' ? refuse(found) : success(found);
    },
    askNewest,
  );

  route(app, calls.appState, async ({ query: { selectedType: type }, patient, now }) => {
    const { chargeCents, isDisabled } = await ofCaller(patient.id, type, now);
    if (chargeCents === null || isDisabled) return refuse('typeNotOffered');
    return success({ chargeAmount: dollarsOf(chargeCents), code: type });
  });
}
