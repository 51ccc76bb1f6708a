import { calls } from '@clinic/contract';
import { dollarsOf, formatAppointment, statusOf, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { looksAt } from '../../security/audit.store.ts';
import { openCard } from '../../security/keyring.ts';
import { type PatientId, ownSessions } from '../../security/sessions.store.ts';
import { FileAnswer } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { openedAnswers, ownAppointments } from '../appointments/index.ts';
import {
  downloadName,
  ownFiles,
  readStoredFile,
  refusedDocuments,
  turnsOf,
} from '../documents/index.ts';
import { ownPicture, ownSuggestions } from '../feedback/index.ts';
import { ownCalls } from '../closings/index.ts';
import { readProfile } from '../immigration/index.ts';
import { ownNotes, ownThreads } from '../messages/index.ts';
import { agreementsOf, patientOf, standingOfAddress, wordsByHash } from '../accounts/index.ts';
import { ownCard } from '../patients/index.ts';
import { ownPayments } from '../payments/index.ts';
import { otherNumbers } from '../records/index.ts';
import { listColleagues } from '../staff/index.ts';

type ExportPorts = Pick<Platform, 'database' | 'keyring' | 'appendAudit' | 'parts'>;

/** The most bytes of files in an archive: later files are left out, and have no path in the list. */
const MOST_BYTES = 200 * 1024 * 1024;

const READ_ME = [
  'This is everything that the booking service of the clinic keeps about you.',
  '',
  'my-data.json   your profile, appointments with what you wrote, payments, messages and what',
  '               the clinic noted beside them and about you (also what it struck later),',
  '               agreements, immigration exam profile,',
  '               suggestions and sign-ins, and when the clinic’s staff looked at any of it, by',
  '               what they are at the clinic today: lists that named you, and what was opened',
  'files/         health card, picture ID, attachments of messages: yours and the clinic’s',
  'suggestions/   the pictures of your suggestions',
  '',
  'Times are seconds since 1970 (at), and the clinic’s wall time in British Columbia (clinicTime).',
  'Keep it to yourself: it holds your health information.',
  '',
].join('\n');

/** One archive at a time: it is in memory twice while it is closed. */
const turns = turnsOf(1, 8);

/** Lets patients download a copy of everything that is stored about them. */
export function registerPrivacy(app: FastifyInstance, platform: Platform): void {
  const { rates } = platform.config;

  route(app, calls.exportData, async ({ patient, countUses, now }) => {
    const { isWatched } = await standingOfAddress(platform.database.db, patient.id, now);
    if (isWatched) return refuse('accountWatched');
    const download = await countUses([[rates.exportData, patient.id]]);
    if (download instanceof Refusal) return download;
    const bytes = await turns(() => archiveOf(platform, patient.id, now));
    if (bytes === null) return refuse('serviceBusy');
    download.begun();
    const name = `my-data-${toClinic(now).date}.zip`;
    return new FileAnswer({ mediaType: 'application/zip', name, bytes });
  });
}

/** A ZIP of everything about one patient, with nothing about anybody else. */
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
  const suggestions = await ownSuggestions(ports, patientId);
  const looks = await looksOfStaff(ports, patientId, [
    ...data.appointments.map(({ id }) => `appointment:${String(id)}`),
    ...data.messages.map(({ id }) => `message:${id}`),
    ...files.map(({ id }) => `file:${String(id)}`),
    ...suggestions.map(({ id }) => `problem:${id}`),
  ]);
  for (const { id } of suggestions) {
    const picture = await ownPicture(ports, patientId, id);
    if (picture) zip.addBytes(`suggestions/${id}.${picture.extension}`, picture.bytes);
  }
  const exported = {
    ...withClinicTimes({ exportedAt: now }),
    ...data,
    suggestions: suggestions.map(withClinicTimes),
    files,
    looksByStaff: looks,
  };
  zip.addText('my-data.json', `${JSON.stringify(exported, null, 2)}\n`);
  zip.addText('README.txt', READ_ME);
  await database.inTransaction((tx) =>
    appendAudit(tx, { actor, action: 'data exported', subject: actor, at: now }),
  );
  return zip.end();
}

/** When staff looked at the patient's data, and at what. Names the roles of the staff, not the persons. */
async function looksOfStaff(
  { database: { db } }: ExportPorts,
  patientId: PatientId,
  things: readonly string[],
) {
  const { recordId } = await patientOf(db, patientId);
  const recordIds = [recordId, ...(await otherNumbers(db, recordId))];
  const looks = await looksAt(db, { patientId, recordIds, things });
  const rolesOf = await rolesOfStaff(db);
  return looks.map(({ actor, action, at }) =>
    withClinicTimes({ at, by: roleOf(actor, rolesOf), what: action }),
  );
}

/** What who did something is at the clinic today, by the name that the audit trail has for them. */
function roleOf(actor: string, rolesOf: (staffId: string) => string): string {
  const [, id] = /^staff:(.+)$/.exec(actor) ?? [];
  return id === undefined ? 'operator' : rolesOf(id);
}

/** What a member of staff is at the clinic today. */
async function rolesOfStaff(db: Db) {
  const staff = new Map((await listColleagues(db)).map((each) => [each.id, each.roles.join(', ')]));
  return (staffId: string): string => staff.get(staffId) ?? 'staff';
}

/** A ZIP that is built in memory. */
function zipArchive() {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const add = (entry: ZipDeflate | ZipPassThrough, bytes: Uint8Array) => {
    zip.add(entry);
    entry.push(bytes, true);
  };
  return {
    addText: (name: string, text: string) => add(new ZipDeflate(name), Buffer.from(text, 'utf8')),
    /** Adds a file uncompressed: pictures and PDFs are compressed already. */
    addBytes: (name: string, bytes: Uint8Array) => add(new ZipPassThrough(name), bytes),
    end() {
      zip.end();
      return Buffer.concat(chunks);
    },
  };
}

/** Adds one file after the other, so that none blocks the service for long. */
async function addFiles(
  ports: ExportPorts,
  patientId: PatientId,
  zip: ReturnType<typeof zipArchive>,
) {
  const { db } = ports.database;
  const refusals = await refusedDocuments(ports, db, patientId);
  const listed = [];
  let bytes = 0;
  for (const [at, file] of (await ownFiles(db, patientId)).entries()) {
    bytes += file.size;
    const fits = bytes <= MOST_BYTES;
    const path = `files/${at + 1}-${downloadName(file.purpose, file.mediaType)}`;
    const stored = fits ? await readStoredFile(ports, db, patientId, file.id) : null;
    if (stored !== null) zip.addBytes(path, stored.bytes);
    const name = stored?.name ?? null;
    const refusal = refusals.find(({ id }) => id === file.id);
    const refused = refusal && { refusedAt: refusal.at, refusedBecause: refusal.reason };
    listed.push(withClinicTimes({ ...file, name, path: stored && path, ...refused }));
  }
  return listed;
}

/** Adds the clinic's wall time, for people, beside the epoch seconds of each instant. */
function withClinicTimes(row: object) {
  const pairs = Object.entries(row).flatMap(([name, at]): [string, unknown][] => {
    if (typeof at !== 'number' || !/^(at|start|end)$|At$/.test(name)) return [[name, at]];
    const both = { at, clinicTime: formatAppointment(at) };
    return name === 'at' ? Object.entries(both) : [[name, both]];
  });
  return Object.fromEntries(pairs);
}

/** Everything that the service keeps about a patient, apart from files and suggestions. */
async function ownData(ports: ExportPorts, patientId: PatientId) {
  const { keyring } = ports;
  const { db } = ports.database;
  const answersOf = (id: string, sealed: Uint8Array | null): unknown =>
    sealed && openedAnswers(keyring, id, sealed);
  const { cardSealed, ...profile } = await patientOf(db, patientId);
  const [appointments, calls, payments, threads, notes, agreements, words, card] =
    await Promise.all([
      ownAppointments(db, ports.parts, patientId),
      ownCalls(db, patientId),
      ownPayments(db, patientId),
      ownThreads(ports, patientId),
      ownNotes(ports, patientId),
      agreementsOf(db, patientId),
      wordsByHash(db),
      ownCard(ports, profile.recordId),
    ]);
  const rolesOf = await rolesOfStaff(db);
  return {
    profile: withClinicTimes({ ...profile, cardNumber: openCard(keyring, patientId, cardSealed) }),
    appointments: appointments.map(({ answersSealed, ...row }) =>
      withClinicTimes({
        ...row,
        state: statusOf(row.state),
        paid: dollarsOf(row.paidCents),
        answers: answersOf(row.id, answersSealed),
        calls: calls
          .filter(({ appointmentId }) => appointmentId === row.id)
          .map(({ outcome, by, at, takenBackAt }) =>
            withClinicTimes({ outcome, by: roleOf(by, rolesOf), at, takenBackAt }),
          ),
      }),
    ),
    payments: payments.map(({ amountCents, ...row }) =>
      withClinicTimes({ ...row, amount: dollarsOf(amountCents) }),
    ),
    messages: threads.map(({ id, state, entries }) => ({
      id,
      state,
      texts: entries.map(({ from, at, message, editedAt, files }) =>
        withClinicTimes({ from, at, message, editedAt, files: files.map(({ id }) => id) }),
      ),
      notes: notes
        .filter(({ messageId }) => messageId === id)
        .map(({ at, note }) => withClinicTimes({ at, note })),
    })),
    agreements: agreements
      .toReversed()
      .map(({ kind, version, textHash, locale, shownHash, at, readOutBy }) => {
        // The text as the patient read it; in English when that translation is no longer known.
        const read = words.get(shownHash ?? textHash) ?? words.get(textHash);
        const text = read ? [read.title, ...read.paragraphs] : null;
        const agreed = { kind, version, language: locale, textHash, text, at };
        return withClinicTimes({ ...agreed, readOutBy: readOutBy && rolesOf(readOutBy) });
      }),
    notedByClinic: {
      contacts: card.contacts.map(withClinicTimes),
      notes: card.notes.map(withClinicTimes),
      wishes: card.wishes.map(withClinicTimes),
    },
    immigrationExamProfile: await readProfile(keyring, db, patientId),
    sessions: (await ownSessions(db, patientId)).map(withClinicTimes),
  };
}
