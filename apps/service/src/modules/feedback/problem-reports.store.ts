import type { Tx } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { problemReport } from './schema.ts';
import type { PatientId } from '../../security/sessions.ts';

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

/** The contexts under which a report is sealed (S-13). */
export const messageContext = (id: string) => `problem_report.message:${id}`;
export const screenshotContext = (id: string) => `problem_report.screenshot:${id}`;

export async function keepReport(
  keyring: Pick<Keyring, 'seal'>,
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
