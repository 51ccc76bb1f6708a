import { calls } from '@clinic/contract';
import { dollarsOf, toClinic } from '@clinic/domain';
import type { ClinicDate, DateSpan, EpochSeconds } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';

import { Prepared, route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import {
  type TakenTime,
  scheduleCache,
  scheduleRange,
  scheduleVersions,
  windowDays,
} from './answer.ts';
import { earliestSlot } from './earliest-slot.ts';
import {
  type PatientsWhoBook,
  changesSince,
  chargeFor,
  listProviders,
  patientSearching,
  readDays,
} from './store.ts';

const ALL_PROVIDERS = '-1';

export interface ScheduleParts extends Pick<Platform, 'database' | 'emr'> {
  readonly takenTime: TakenTime;
  readonly patientsWhoBook: PatientsWhoBook;
}

/** Doctors, what the clinic says of them, their schedule, and what an appointment costs. */
export function registerSchedule(app: FastifyInstance, parts: ScheduleParts): void {
  const { database, emr, takenTime, patientsWhoBook } = parts;
  const versions = scheduleVersions((snapshot) => changesSince(database.db, takenTime, snapshot));
  const readTaken = (range: DateSpan, providerId: string | null, now: EpochSeconds) =>
    takenTime.readTaken(database.db, range, providerId, now);
  const cache = scheduleCache(versions, async (range, providerId, now) => {
    const [rows, taken] = await Promise.all([
      readDays(database.db, range, providerId),
      readTaken(range, providerId, now),
    ]);
    return { rows, ...taken };
  });

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
    return new Prepared(await cache.answer(range, providerId, patient.id, now));
  });

  const search = {
    emr,
    listProviders: () => listProviders(database.db),
    patientSearching: (patientId: string, type: string, day: ClinicDate) =>
      patientSearching(database.db, patientsWhoBook, patientId, { type, day }),
    windowDays: windowDays(versions, (range) => readDays(database.db, range, null)),
    readTaken,
  };
  route(app, calls.earliestSlot, async ({ query: { type, id }, patient, now }) => {
    const providerId = id === ALL_PROVIDERS ? null : id;
    const found = await earliestSlot(search, { patientId: patient.id, type, providerId }, now);
    return found.kind === 'refused'
      ? refuse(found.code)
      : { success: true as const, extras: { slot: found.slot } };
  });

  route(app, calls.appState, async ({ query, patient, now }) => {
    const { selectedType } = query;
    const day = toClinic(now).date;
    const cents = await chargeFor(database.db, patientsWhoBook, patient.id, {
      type: selectedType,
      day,
    });
    if (cents === null) return refuse('typeNotOffered');
    return {
      success: true as const,
      extras: { chargeAmount: dollarsOf(cents), code: selectedType },
    };
  });
}
