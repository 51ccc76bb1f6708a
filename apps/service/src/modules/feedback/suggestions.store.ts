import { desc, eq } from 'drizzle-orm';
import type { Platform } from '../../platform.ts';
import { problemReport } from './schema.ts';
import { messageContext, screenshotContext } from './problem-reports.store.ts';

type Ports = Pick<Platform, 'database' | 'keyring' | 'appendAudit'>;

export interface Suggestion {
  readonly id: string;
  readonly patientId: string;
  readonly at: number;
  readonly message: string;
  readonly isRead: boolean;
  readonly isAppointment: boolean;
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
): Promise<Suggestion[]> {
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

export interface SuggestionPicture {
  readonly extension: string;
  readonly bytes: Buffer;
}

/** One suggestion with its picture; it is read from now on, and the trail says by whom. */
export async function readSuggestion(
  { database, keyring, appendAudit }: Ports,
  id: string,
  who: { readonly actor: string; readonly now: number },
): Promise<(Suggestion & { readonly picture: SuggestionPicture | null }) | null> {
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
  const picture = screenshotSealed && keyring.open(screenshotContext(id), screenshotSealed);
  return {
    ...rest,
    message: keyring.open(messageContext(id), messageSealed),
    picture: picture === null ? null : pictureOf(picture),
  };
}

function pictureOf(dataUrl: string): SuggestionPicture | null {
  const [, extension, base64] = /^data:image\/(\w+);base64,(.*)$/.exec(dataUrl) ?? [];
  if (extension === undefined || base64 === undefined) return null;
  return { extension, bytes: Buffer.from(base64, 'base64') };
}
