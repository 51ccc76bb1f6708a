import type { EpochSeconds } from '@clinic/domain';
import { type Db, type Part, isUuid, part, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { STORED_FILES } from '../../documents/index.ts';
import { SUGGESTIONS } from '../../feedback/index.ts';
import { MESSAGES } from '../../messages/index.ts';
import { DESK_PAYMENTS } from '../../payments/index.ts';

/** Something of a patient, such as a message, that the audit trail names by its own id. */
export interface Thing {
  /** `<thing>:<id>` */
  readonly subject: string;
  readonly patientId: string | null;
  readonly recordId: string | null;
  readonly start: EpochSeconds | null;
}

type Kind = 'appointment' | 'message' | 'file' | 'payment' | 'problem';

const things = (which: (kind: Kind) => Part) => part`
  select 'appointment:' || id as subject, patient_id::text as "patientId", record_id as "recordId",
         start_s as start
    from ${DESK_APPOINTMENTS} thing where ${which('appointment')}
  union all
  select 'message:' || id, patient_id::text, null, null
    from ${MESSAGES} thing where ${which('message')}
  union all
  select 'file:' || id, patient_id::text, null, null
    from ${STORED_FILES} thing where ${which('file')}
  union all
  select 'payment:' || id, patient_id::text, null, null
    from ${DESK_PAYMENTS} thing where ${which('payment')}
  union all
  select 'problem:' || id, patient_id::text, null, null
    from ${SUGGESTIONS} thing where ${which('problem')}`;

/** Every `<thing>:<id>` of a patient; without an account, of the record and its appointments. */
export async function subjectsOf(
  db: Db,
  { patientId, recordId }: { readonly patientId: string | null; readonly recordId: string },
): Promise<string[]> {
  const isTheirs = part`patient_id = ${patientId}::uuid`;
  const rows = await sql<Thing>(db, 'trail-subjects')`
    ${things((kind) =>
      kind === 'appointment' ? part`(${isTheirs} or record_id = ${recordId})` : isTheirs,
    )}`;
  const own = patientId === null ? [] : [`patient:${patientId}`];
  return [...own, `record:${recordId}`, ...rows.map(({ subject }) => subject)];
}

/** The patient or record behind each subject that names something of a patient's; others are left out. */
export const thingsOf = (db: Db, subjects: readonly string[]): Promise<Thing[]> =>
  sql<Thing>(db, 'trail-things')`
    ${things((kind) => {
      const ids = subjects
        .filter((subject) => subject.startsWith(`${kind}:`))
        .map((subject) => subject.slice(kind.length + 1))
        .filter(isUuid);
      return part`id = any(${ids}::uuid[])`;
    })}`;
