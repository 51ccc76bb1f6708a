import { desc, eq } from 'drizzle-orm';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { problemReport } from './schema.ts';

type Ports = Pick<Platform, 'database' | 'keyring' | 'appendAudit'>;

export const messageContext = (id: string) => `problem_report.message:${id}`;
export const screenshotContext = (id: string) => `problem_report.screenshot:${id}`;

export interface ProblemReport {
  readonly id: string;
  readonly patientId: PatientId;
  readonly message: string;
  /** A data URL of what we drew anew, or null when the patient left the picture out. */
  readonly screenshot: string | null;
  /** Taken on home or appointments. */
  readonly isAppointment: boolean;
  readonly at: number;
}

export async function keepReport(
  keyring: Keyring,
  tx: Tx,
  { message, screenshot, ...row }: ProblemReport,
): Promise<void> {
  await tx.insert(problemReport).values({
    ...row,
    messageSealed: keyring.seal(messageContext(row.id), message),
    screenshotSealed:
      screenshot === null ? null : keyring.seal(screenshotContext(row.id), screenshot),
  });
}

const columns = {
  id: problemReport.id,
  patientId: problemReport.patientId,
  at: problemReport.at,
  messageSealed: problemReport.messageSealed,
  isRead: problemReport.isRead,
  isAppointment: problemReport.isAppointment,
};

/** What patients suggested, the newest first. */
export async function suggestionsForClinic(
  { database, keyring }: Ports,
  { limit, unread }: { readonly limit: number; readonly unread: boolean },
) {
  const rows = await database.db
    .select(columns)
    .from(problemReport)
    .where(unread ? eq(problemReport.isRead, false) : undefined)
    .orderBy(desc(problemReport.at), desc(problemReport.id))
    .limit(limit);
  return rows.map(({ messageSealed, ...row }) => ({
    ...row,
    message: keyring.open(messageContext(row.id), messageSealed),
  }));
}

/** One suggestion with its picture; it is read from now on, and the trail says by whom. */
export async function readSuggestion(
  { database, keyring, appendAudit }: Ports,
  id: string,
  who: { readonly actor: string; readonly now: number },
) {
  const row = await database.inTransaction(async (tx) => {
    const [found] = await tx
      .update(problemReport)
      .set({ isRead: true })
      .where(eq(problemReport.id, id))
      .returning({ ...columns, screenshotSealed: problemReport.screenshotSealed });
    if (!found) return null;
    const subject = `problem:${id}`;
    await appendAudit(tx, { actor: who.actor, action: 'suggestion read', subject, at: who.now });
    return found;
  });
  if (row === null) return null;
  const { messageSealed, screenshotSealed, ...rest } = row;
  return {
    ...rest,
    message: keyring.open(messageContext(id), messageSealed),
    picture: openPicture(keyring, id, screenshotSealed),
  };
}

/** The picture of a suggestion as a file; null where there is none. */
export function openPicture(keyring: Keyring, id: string, sealed: Uint8Array | null) {
  const dataUrl = sealed === null ? '' : keyring.open(screenshotContext(id), sealed);
  const [, extension, base64] = /^data:image\/(\w+);base64,(.*)$/.exec(dataUrl) ?? [];
  if (extension === undefined || base64 === undefined) return null;
  return { extension, bytes: Buffer.from(base64, 'base64') };
}
