import { dollarsOf, formatAppointment } from '@clinic/domain';
import type { Platform } from '../../platform.ts';
import { openCard } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { type ZipArchive, zipArchive } from '../../server/zip-archive.ts';
import { answersContext } from '../appointments/index.ts';
import { downloadName, readStoredFile, turnsOf } from '../documents/index.ts';
import { messageContext, openPicture } from '../feedback/index.ts';
import { readProfile } from '../immigration/index.ts';
import { ownThreads } from '../messages/index.ts';
import { agreementsOf, patientOf } from '../patients/index.ts';
import {
  ownAppointments,
  ownFiles,
  ownPayments,
  ownScreenshot,
  ownSessions,
  ownSuggestions,
} from './store.ts';

type ExportPorts = Pick<Platform, 'database' | 'keyring' | 'appendAudit'>;

/** More files than this stay out, and the list of files says so. */
const MOST_BYTES = 200 * 1024 * 1024;

const READ_ME = [
  'This is everything that the booking service of the clinic keeps about you.',
  '',
  'my-data.json   your profile, appointments with what you wrote, payments, messages,',
  '               agreements, immigration exam profile, suggestions and sign-ins',
  'files/         what you sent: health card, picture ID, attachments of messages',
  'suggestions/   the pictures of your suggestions',
  '',
  'Times are seconds since 1970 (at), and the clinic’s wall time in British Columbia (clinicTime).',
  'Keep it to yourself: it holds your health information.',
  '',
].join('\n');

/** An archive stands in memory twice while it is closed. */
const turns = turnsOf(1, 8);

/** One ZIP of everything about one patient, and nothing of anybody else; null while too many wait. */
export const exportData = (
  ports: ExportPorts,
  patientId: PatientId,
  now: number,
): Promise<Uint8Array | null> => turns(() => archiveOf(ports, patientId, now));

async function archiveOf(
  ports: ExportPorts,
  patientId: PatientId,
  now: number,
): Promise<Uint8Array> {
  const { database, appendAudit } = ports;
  const actor = `patient:${patientId}`;
  const zip = zipArchive();
  const data = await ownData(ports, patientId);
  const files = await addFiles(ports, patientId, zip);
  for (const { id } of data.suggestions) await addScreenshot(ports, patientId, id, zip);
  const exported = { exportedAt: { at: now, clinicTime: formatAppointment(now) }, ...data, files };
  zip.addText('my-data.json', `${JSON.stringify(exported, null, 2)}\n`);
  zip.addText('README.txt', READ_ME);
  await database.inTransaction((tx) =>
    appendAudit(tx, { actor, action: 'data exported', subject: actor, at: now }),
  );
  return zip.end();
}

/** One file after the other, so that none holds the service up for long. */
async function addFiles(ports: ExportPorts, patientId: PatientId, zip: ZipArchive) {
  const { db } = ports.database;
  const listed = [];
  let bytes = 0;
  for (const [at, { createdAt, ...file }] of (await ownFiles(db, patientId)).entries()) {
    bytes += file.size;
    const fits = bytes <= MOST_BYTES;
    const path = `files/${at + 1}-${downloadName(file.purpose, file.mediaType)}`;
    const stored = fits ? await readStoredFile(ports, db, patientId, file.id) : null;
    if (stored !== null) zip.addBytes(path, stored.bytes);
    listed.push({
      ...file,
      name: stored?.name ?? null,
      path: stored === null ? null : path,
      at: createdAt,
      clinicTime: formatAppointment(createdAt),
    });
  }
  return listed;
}

async function addScreenshot(
  { database, keyring }: ExportPorts,
  patientId: PatientId,
  id: string,
  zip: ZipArchive,
): Promise<void> {
  const picture = openPicture(keyring, id, await ownScreenshot(database.db, patientId, id));
  if (picture) zip.addBytes(`suggestions/${id}.${picture.extension}`, picture.bytes);
}

/** An instant for people and for programs: the clinic's wall time beside the epoch seconds. */
const when = (at: number) => ({ at, clinicTime: formatAppointment(at) });
const whenOrNull = (at: number | null) => (at === null ? null : when(at));

/** Everything that the service keeps about a patient, apart from files. */
async function ownData(ports: ExportPorts, patientId: PatientId) {
  const { keyring } = ports;
  const { db } = ports.database;
  const answers = (id: string, sealed: Uint8Array | null): unknown =>
    sealed === null ? null : JSON.parse(keyring.open(answersContext(id), sealed));
  const [threads, appointments, payments, agreements, sessions, suggestions] = await Promise.all([
    ownThreads(ports, patientId),
    ownAppointments(db, patientId),
    ownPayments(db, patientId),
    agreementsOf(db, patientId),
    ownSessions(db, patientId),
    ownSuggestions(db, patientId),
  ]);
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
    agreements: agreements
      .toReversed()
      .map(({ kind, version, textHash, at }) => ({ kind, version, textHash, ...when(at) })),
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

async function profileOf({ database, keyring }: ExportPorts, patientId: PatientId) {
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
