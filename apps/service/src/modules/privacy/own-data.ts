import { dollarsOf, formatAppointment } from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import { openCard } from '../../security/sealed-card.ts';
import type { PatientId } from '../../security/sessions.ts';
import { patientOf } from '../patients/index.ts';
import { answersContext } from '../appointments/index.ts';
import { messageContext } from '../feedback/index.ts';
import { readProfile } from '../immigration/index.ts';
import { shownThread } from '../messages/index.ts';
import {
  ownAgreements,
  ownAppointments,
  ownMessages,
  ownPayments,
  ownSessions,
  ownSuggestions,
} from './own-data.store.ts';

export type OwnDataPorts = Pick<Platform, 'database' | 'keyring'>;

/** An instant for people and for programs: the clinic's wall time beside the epoch seconds. */
const when = (at: number) => ({ at, clinicTime: formatAppointment(at) });
const whenOrNull = (at: number | null) => (at === null ? null : when(at));

/** Everything that the service keeps about a patient, apart from files (S-15). */
export async function ownData(ports: OwnDataPorts, patientId: PatientId) {
  const { keyring } = ports;
  const { db } = ports.database;
  const answers = (id: string, sealed: Uint8Array | null): unknown =>
    sealed === null ? null : JSON.parse(keyring.open(answersContext(id), sealed));
  const [messages, appointments, payments, agreements, sessions, suggestions] = await Promise.all([
    ownMessages(db, patientId),
    ownAppointments(db, patientId),
    ownPayments(db, patientId),
    ownAgreements(db, patientId),
    ownSessions(db, patientId),
    ownSuggestions(db, patientId),
  ]);
  const threads = [];
  for (const each of messages) threads.push(await shownThread(keyring, db, each));
  return {
    profile: await profileOf(ports, patientId),
    appointments: appointments.map(
      ({ answersSealed, start, end, createdAt, changedAt, ...row }) => ({
        ...row,
        paid: dollarsOf(row.paidCents),
        start: when(start),
        end: when(end),
        createdAt: when(createdAt),
        changedAt: when(changedAt),
        answers: answers(row.id, answersSealed),
      }),
    ),
    payments: payments.map(({ amountCents, createdAt, changedAt, ...row }) => ({
      ...row,
      amount: dollarsOf(amountCents),
      createdAt: when(createdAt),
      changedAt: when(changedAt),
    })),
    messages: threads.map(({ id, state, entries }) => ({
      id,
      state,
      texts: entries.map(({ from, at, message, editedAt, files }) => ({
        from,
        ...when(at),
        message,
        editedAt: whenOrNull(editedAt),
        files: files.map((file) => file.id),
      })),
    })),
    agreements: agreements.map(({ at, ...row }) => ({ ...row, ...when(at) })),
    immigrationExamProfile: await readProfile(keyring, db, patientId),
    suggestions: suggestions.map(({ id, at, messageSealed }) => ({
      id,
      ...when(at),
      message: keyring.open(messageContext(id), messageSealed),
    })),
    sessions: sessions.map(({ signedInAt, lastActiveAt, endedAt, device }) => ({
      device,
      signedInAt: when(signedInAt),
      lastActiveAt: when(lastActiveAt),
      endedAt: whenOrNull(endedAt),
    })),
  };
}

async function profileOf({ database, keyring }: OwnDataPorts, patientId: PatientId) {
  const { cardSealed, blockedProviders, createdAt, ...row } = await patientOf(
    database.db,
    patientId,
  );
  return {
    ...row,
    cardNumber: openCard(keyring, patientId, cardSealed),
    blockedProviders,
    createdAt: when(createdAt),
  };
}
