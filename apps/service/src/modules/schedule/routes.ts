import { calls } from '@clinic/contract';
import { dollarsOf, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';

import { Prepared, route } from '../../server/http.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { scheduleCache, scheduleRange, scheduleVersions, windowFacts } from './answer.ts';
import { type EarliestPorts, earliestSlot } from './earliest-slot.ts';
import {
  changesSince,
  listProviders,
  patientOfType,
  readDays,
  readLengths,
  readTaken,
  whyNotOpen,
} from './store.ts';

const ALL_PROVIDERS = '-1';

/** Doctors, what the clinic says of them, their schedule, and what an appointment costs. */
export function registerSchedule(
  app: FastifyInstance,
  parts: Omit<EarliestPorts, 'windowFacts'>,
): void {
  const { database, takenTime, patientsWhoBook } = parts;
  const versionOf = scheduleVersions((snapshot) => changesSince(database.db, takenTime, snapshot));
  const answer = scheduleCache(versionOf, async ({ range, providerId }, now) => {
    const [rows, lengths, taken] = await Promise.all([
      readDays(database.db, range, providerId),
      readLengths(database.db),
      readTaken(database.db, takenTime, { ...range, providerId }, now),
    ]);
    return { rows, lengths, ...taken };
  });
  const ofCaller = (patientId: string, type: string, now: number) =>
    patientOfType(database.db, patientsWhoBook, patientId, { type, day: toClinic(now).date });

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

  route(app, calls.doctorSchedule, async ({ query, patient, now }) => {
    const range = scheduleRange(query.from, query.to, now);
    if ('code' in range) return invalid(range.field, range.code);
    const providerId = query.id === ALL_PROVIDERS ? null : query.id;
    const type = query.type ?? null;
    const [ready, closed] = await Promise.all([
      answer({ range, providerId, type }, { viewer: patient.id, now }),
      type && ofCaller(patient.id, type, now).then(whyNotOpen),
    ]);
    return closed ? refuse(closed) : new Prepared(ready);
  });

  const search = {
    ...parts,
    windowFacts: windowFacts(
      versionOf,
      (range) => readDays(database.db, range, null),
      () => readLengths(database.db),
    ),
  };
  route(app, calls.earliestSlot, async ({ query: { type, id }, patient, now }) => {
    const providerId = id === ALL_PROVIDERS ? null : id;
    const found = await earliestSlot(search, { patientId: patient.id, type, providerId }, now);
    return typeof found === 'string' ? refuse(found) : { success: true as const, extras: found };
  });

  route(app, calls.appState, async ({ query: { selectedType: type }, patient, now }) => {
    const { chargeCents } = await ofCaller(patient.id, type, now);
    if (chargeCents === null) return refuse('typeNotOffered');
    return {
      success: true as const,
      extras: { chargeAmount: dollarsOf(chargeCents), code: type },
    };
  });
}
