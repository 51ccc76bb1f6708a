import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { type Tx, part } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { problemReport } from './schema.ts';

type Ports = Pick<Platform, 'database' | 'keyring'>;

export const messageContext = (id: string) => `problem_report.message:${id}`;
export const screenshotContext = (id: string) => `problem_report.screenshot:${id}`;

type Row = typeof problemReport.$inferInsert;

/** Stores a suggestion. Its screenshot is a data URL of the picture drawn anew, null without one. */
export async function keepReport(
  keyring: Keyring,
  tx: Tx,
  report: Pick<Row, 'id' | 'patientId' | 'isAppointment' | 'at'> & {
    readonly message: string;
    readonly screenshot: string | null;
  },
): Promise<void> {
  const { message, screenshot, ...row } = report;
  await tx.insert(problemReport).values({
    ...row,
    messageSealed: keyring.seal(messageContext(row.id), message),
    screenshotSealed:
      screenshot === null ? null : keyring.seal(screenshotContext(row.id), screenshot),
  });
}

const opened = <Row extends { readonly id: string; readonly messageSealed: Uint8Array }>(
  keyring: Keyring,
  { messageSealed, ...row }: Row,
) => ({ ...row, message: keyring.open(messageContext(row.id), messageSealed) });

const { id, patientId, at, messageSealed, isRead, screenshotSealed } =
  getTableColumns(problemReport);

/** The suggestions of patients, the newest first. */
export async function suggestionsForClinic(
  { database, keyring }: Ports,
  { limit, unread }: { readonly limit: number; readonly unread: boolean },
) {
  const rows = await database.db
    .select({ id, patientId, at, messageSealed, isRead })
    .from(problemReport)
    .where(unread ? eq(isRead, false) : undefined)
    .orderBy(desc(at), desc(id))
    .limit(limit);
  return rows.map((row) => opened(keyring, row));
}

/** A suggestion with its picture, which is read now, or null. */
export async function readSuggestion({ database, keyring }: Ports, named: string) {
  const [row] = await database.inTransaction((tx) =>
    tx
      .update(problemReport)
      .set({ isRead: true })
      .where(eq(id, named))
      .returning({ id, patientId, at, messageSealed, screenshotSealed }),
  );
  if (row === undefined) return null;
  return { ...opened(keyring, row), picture: openPicture(keyring, named, row.screenshotSealed) };
}

/** A patient's suggestions for the copy of their data. */
export async function ownSuggestions({ database, keyring }: Ports, own: PatientId) {
  const rows = await database.db
    .select({ id, at, messageSealed })
    .from(problemReport)
    .where(eq(patientId, own))
    .orderBy(at);
  return rows.map((row) => opened(keyring, row));
}

/** The picture of a patient's suggestion, read alone because it is large; null when there is none. */
export async function ownPicture({ database, keyring }: Ports, own: PatientId, named: string) {
  const [row] = await database.db
    .select({ screenshotSealed })
    .from(problemReport)
    .where(and(eq(id, named), eq(patientId, own)));
  return openPicture(keyring, named, row?.screenshotSealed ?? null);
}

/** Turns the sealed data URL of a picture into a file. */
function openPicture(keyring: Keyring, id: string, sealed: Uint8Array | null) {
  const dataUrl = sealed === null ? '' : keyring.open(screenshotContext(id), sealed);
  const [, extension, base64] = /^data:image\/(\w+);base64,(.*)$/.exec(dataUrl) ?? [];
  if (extension === undefined || base64 === undefined) return null;
  return { extension, bytes: Buffer.from(base64, 'base64') };
}

/** Suggestions with their patients, for other modules' statements. */
export const SUGGESTIONS = part`(select id, patient_id from problem_report)`;

/** When the patient `p` last sent a suggestion, for other modules' statements. */
export const LAST_SUGGESTION = part`(
  select max(at_s) from problem_report where patient_id = p.id)`;

export const eraseSuggestions = (patientId: string) =>
  part`delete from problem_report where patient_id = ${patientId}`;
