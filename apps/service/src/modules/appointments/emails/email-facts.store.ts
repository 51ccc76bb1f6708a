import type { Access, Doctor, EpochSeconds } from '@clinic/domain';

import type { Locale } from '@clinic/texts';
import { type Db, sql } from '../../../database/db.ts';
import type { LaterParts } from '../../../platform.ts';
import type { PatientId } from '../../../security/sessions.store.ts';
import { PROVIDERS } from '../../records/index.ts';
import type { BookedAppointment, StoredAppointment } from '../appointment.ts';
import { type Judged, type Receipt, WITH_NAMES, judged, judgedColumns } from '../listed.store.ts';
import { stateIn } from '../state-columns.store.ts';

/** What an email about an appointment needs. */
export interface EmailFacts {
  readonly patientId: PatientId;
  readonly to: string;
  readonly language: Locale;
  readonly appointment: StoredAppointment;
  readonly mode: BookedAppointment['mode'];
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  readonly movedFrom: EpochSeconds | null;
  /** Whether the appointment to move still stands. */
  readonly stillStands: boolean;
  readonly receipt: Receipt | null;
  /** In cents, see `LaterParts`. */
  readonly everPaid: number;
  /** Another appointment of the patient that stands at the same time. */
  readonly beside: {
    readonly start: EpochSeconds;
    readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  } | null;
  readonly access: Access;
}

/** The facts by appointment; an appointment whose patient has no account is left out. */
export async function emailFacts(
  db: Db,
  parts: LaterParts,
  appointmentIds: readonly string[],
): Promise<ReadonlyMap<string, EmailFacts>> {
  type Row = Judged & Omit<EmailFacts, 'appointment' | 'mode' | 'access'>;
  const rows = await sql<Row>(db, 'appointments-for-email')`
    select ${judgedColumns(parts)}, ${parts.everPaid} as "everPaid", p.id as "patientId",
           p.email as "to", p.language, before.start_s as "movedFrom",
           coalesce(${stateIn('before').isBooked}, false) as "stillStands",
           json_build_object('firstName', coalesce(r.first_name, ''),
                             'lastName', coalesce(r.last_name, '')) as doctor,
           (select json_build_object('start', o.start_s, 'doctor', json_build_object(
                     'firstName', coalesce(d.first_name, ''), 'lastName', coalesce(d.last_name, '')))
              from appointment o left join ${PROVIDERS} d on d.id = o.provider_id
             where o.patient_id = c.patient_id and ${stateIn('o').isBooked}
               and o.start_s < c.end_s and o.end_s > c.start_s and o.id <> c.id
               and o.booking_number is distinct from c.booking_number limit 1) as beside
      ${WITH_NAMES}
      join ${parts.patients} p on p.id = c.patient_id
      left join appointment before on before.id = c.rescheduled_from
     where c.id = any(${appointmentIds}::uuid[])`;
  return new Map(rows.map((row) => [row.id, { ...row, ...judged(row) }]));
}
