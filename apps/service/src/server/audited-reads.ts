import type { ServerPorts } from './server-ports.ts';
import { type LookAction, type Who, recordsShown } from '../security/audit.store.ts';
import type { SignedInStaff } from '../security/sessions.store.ts';

/** A look: somebody of the staff reads data of patients. The audit trail has it before it is shown (adr/0041). */
export interface Look {
  readonly action: LookAction;
  /** `<thing>:<id>`. */
  readonly subject: string;
  /** The numbers of the records whose data is shown. */
  readonly records: readonly string[];
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** True where an open page asks again by itself; anything else is a look each time. */
  readonly refreshes?: true;
}

/** A look as its parts. */
export const look = (
  action: LookAction,
  subject: string,
  records: readonly string[],
  more: Pick<Look, 'details' | 'refreshes'> = {},
): Look => ({ action, subject, records, ...more });

/** The numbers of the records that these are of. */
export const recordIds = (of: readonly { readonly recordId: string }[]): string[] =>
  of.map(({ recordId }) => recordId);

/** An answer, or a refusal, that shows data of patients: it is sent once the trail has the look. */
export class Showing<Answer> {
  readonly answer: Answer;
  readonly look: Look;
  constructor(answer: Answer, look: Look) {
    this.answer = answer;
    this.look = look;
  }
}

/** An answer whose `extras` show data of patients. */
export const showing = <Extras>(extras: Extras, look: Look) =>
  new Showing({ success: true as const, extras }, look);

/** Staff as the trail names them. */
export const whoIs = ({ id }: Pick<SignedInStaff, 'id'>, now: number): Who => ({
  actor: `staff:${id}`,
  now,
});

type Ports = Pick<ServerPorts, 'database' | 'appendAudit'>;

/** Writes the row of a look; each record is named once. */
export const noteLook = (
  { database, appendAudit }: Ports,
  { action, subject, records, details }: Look,
  { actor, now }: Who,
): Promise<void> =>
  database.inTransaction((tx) =>
    appendAudit(tx, {
      actor,
      action,
      subject,
      details: { ...details, found: [...new Set(records)] },
      at: now,
    }),
  );

/**
 * Writes the look of an answer at the front desk. A refresh is no look of its own: of it the trail gets
 * the records that this session was not shown there yet.
 */
export async function noteLookAtDesk(
  ports: Ports,
  look: Look,
  { staff, isBackground, now }: { staff: SignedInStaff; isBackground: boolean; now: number },
): Promise<void> {
  const who = whoIs(staff, now);
  const session = Buffer.from(staff.tokenHash).toString('hex', 0, 6);
  const details = { ...look.details, session };
  const { action, subject } = look;
  const isRefresh = isBackground && look.refreshes === true;
  const earlier = isRefresh
    ? await recordsShown(ports.database.db, { ...who, action, subject }, session, staff.createdAt)
    : null;
  const records = look.records.filter((record) => earlier?.has(record) !== true);
  if (earlier !== null && records.length === 0) return;
  await noteLook(ports, { ...look, records, details }, who);
}
