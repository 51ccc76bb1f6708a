import { formatAppointment } from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import { type ZipArchive, zipArchive } from '../../server/zip-archive.ts';
import type { PatientId } from '../../security/sessions.ts';
import { openPicture } from '../feedback/index.ts';
import { downloadName, readStoredFile, turnsOf } from '../documents/index.ts';
import { ownData } from './own-data.ts';
import { ownFiles, ownScreenshot } from './own-data.store.ts';

export type ExportPorts = Pick<Platform, 'database' | 'keyring' | 'appendAudit'>;

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

/** One ZIP of everything about one patient, and nothing of anybody else (S-15); null while too many wait. */
export const exportData = (
  ports: ExportPorts,
  patientId: PatientId,
  now: number,
): Promise<Uint8Array | null> => turns.take(() => archiveOf(ports, patientId, now));

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
