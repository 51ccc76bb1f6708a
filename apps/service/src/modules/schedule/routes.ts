import { calls } from '@clinic/contract';
import { type EpochSeconds, dollarsOf, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';

import { together } from '../../database/db.ts';
import { Prepared, route } from '../../server/http.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { scheduleCache, scheduleRange } from './answer.ts';
import { scheduleDays, scheduleVersions } from './days.ts';
import { type EarliestPorts, earliestSlot } from './earliest-slot.ts';
import {
  changesSince,
  listProviders,
  patientsOfTypes,
  readDays,
  readLengths,
  readTaken,
  whyNotOpen,
} from './store.ts';
import type { AskedOfType, PatientOfType, PatientsWhoBook, TakenTime } from './store.ts';

const ALL_PROVIDERS = '-1';
/** For the question of others, which the database may not answer. */
const PATIENCE_MS = 1_000;

/** Doctors, what the clinic says of them, their schedule, and what an appointment costs. */
export function registerSchedule(
  app: FastifyInstance,
  parts: Pick<EarliestPorts, 'database' | 'emr'> & {
    readonly takenTime: TakenTime;
    readonly patientsWhoBook: PatientsWhoBook;
  },
): void {
  const { database, emr, takenTime, patientsWhoBook } = parts;
  const days = scheduleDays(
    scheduleVersions((snapshot) => changesSince(database.db, takenTime, snapshot)),
    {
      rules: async () => {
        const [lengths, providers] = await Promise.all([
          readLengths(database.db),
          listProviders(database.db),
        ]);
        return { lengths, providers };
      },
      templates: (range) => readDays(database.db, range),
      taken: (range, now) => readTaken(database.db, takenTime, range, now),
    },
  );
  const answer = scheduleCache();
  const patientOfType = together<AskedOfType, PatientOfType>(
    (asked) => patientsOfTypes(database.db, patientsWhoBook, asked),
    PATIENCE_MS,
  );
  const ofCaller = (patientId: string, type: string, now: EpochSeconds) =>
    patientOfType({ patientId, type, day: toClinic(now).date });

  route(app, calls.listDoctors, async () =>
    (await listProviders(database.db))
      .filter(({ status }) => !status.hidden)
      .map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
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
    async ({ query, patient, now }, begun) => {
      const range = scheduleRange(query.from, query.to, now);
      if ('code' in range) return invalid(range.field, range.code);
      const providerId = query.id === ALL_PROVIDERS ? null : query.id;
      const type = query.type ?? null;
      const [ready, closed] = await Promise.all([
        begun.then((found) => answer(found, { range, providerId, type }, patient.id)),
        type && ofCaller(patient.id, type, now).then(whyNotOpen),
      ]);
      return closed ? refuse(closed) : new Prepared(ready);
    },
    days,
  );

  route(
    app,
    calls.earliestSlot,
    async ({ query: { type, id }, patient, now }, begun) => {
      const providerId = id === ALL_PROVIDERS ? null : id;
      const search = { database, emr, patientOfType, days: begun };
      const found = await earliestSlot(search, { patientId: patient.id, type, providerId }, now);
      return typeof found === 'string' ? refuse(found) : { success: true as const, extras: found };
    },
    days,
  );

  route(app, calls.appState, async ({ query: { selectedType: type }, patient, now }) => {
    const { chargeCents } = await ofCaller(patient.id, type, now);
    if (chargeCents === null) return refuse('typeNotOffered');
    return {
      success: true as const,
      extras: { chargeAmount: dollarsOf(chargeCents), code: type },
    };
  });
}
