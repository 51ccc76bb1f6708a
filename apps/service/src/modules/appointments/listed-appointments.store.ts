import type { Doctor, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { run } from '../../database/statement.ts';
import type { Statement } from '../../database/statement.ts';
import { appointmentOf, READ_COLUMNS } from './appointment-rows.ts';
import type { AppointmentRow } from './appointment-rows.ts';
import type { StoredAppointment } from './appointment.ts';
import { holdNamedBy } from './request-key.ts';

/** An appointment of the list: what became of an appointment, and who and what it names. */
export interface ListedAppointment {
  readonly appointment: StoredAppointment;
  readonly description: string;
  /** Null when the records do not know the provider (any more). */
  readonly doctor: Doctor | null;
}

const LISTED_SQL = `
  select ${READ_COLUMNS}, coalesce(t.description, '') as description,
         r.id as doctor, r.first_name, r.last_name
    from appointment c
    left join appointment_type t on t.code = c.type
    left join records_provider r on r.id = c.provider_id`;

interface ListedRow extends AppointmentRow {
  readonly description: string;
  readonly doctor: string | null;
  readonly first_name: string;
  readonly last_name: string;
}

const appointmentsOfPatient: Statement = {
  name: 'appointments-of-patient',
  text: `${LISTED_SQL}
          where c.patient_id = $1 and c.start_s >= $2 and c.state not in ('held', 'released')
          order by c.start_s, c.id`,
};

const olderAppointment: Statement = {
  name: 'appointments-older',
  text: `select 1 from appointment c
          where c.patient_id = $1 and c.start_s < $2 and c.state not in ('held', 'released') limit 1`,
};

const appointmentForEmail: Statement = {
  name: 'appointments-for-email',
  text: `select ${READ_COLUMNS}, p.email, coalesce(r.first_name, '') as first_name,
                coalesce(r.last_name, '') as last_name, before.start_s as moved_from_s
           from appointment c
           join patient p on p.id = c.patient_id
           left join records_provider r on r.id = c.provider_id
           left join appointment before on before.id = c.rescheduled_from
          where c.id = $1`,
};

const appointmentOfRequest: Statement = {
  name: 'appointments-of-request',
  text: `${LISTED_SQL}
          where c.patient_id = $1 and (c.request_key = $2 or c.id = $3::uuid)
            and c.state not in ('held', 'released')
          order by c.request_key is null limit 1`,
};

function listedOf(row: ListedRow): ListedAppointment {
  const { doctor, first_name, last_name, description } = row;
  return {
    appointment: appointmentOf(row),
    description,
    doctor: doctor === null ? null : { id: doctor, firstName: first_name, lastName: last_name },
  };
}

/** The patient's appointments from an instant on, and whether there are older ones. */
export async function listedAppointmentsOf(
  db: Db,
  patientId: PatientId,
  since: EpochSeconds,
): Promise<{ readonly appointments: readonly ListedAppointment[]; readonly hasOlder: boolean }> {
  const [rows, older] = await Promise.all([
    run<ListedRow>(db, appointmentsOfPatient, [patientId, since]),
    run(db, olderAppointment, [patientId, since]),
  ]);
  return { appointments: rows.map(listedOf), hasOlder: older.length > 0 };
}

/** The appointment that a request has made, by its stored key or of the hold that the key names. */
export async function appointmentMadeBy(
  db: Db,
  patientId: PatientId,
  storedKey: string,
): Promise<ListedAppointment | null> {
  const values = [patientId, storedKey, holdNamedBy(storedKey)];
  const [row] = await run<ListedRow>(db, appointmentOfRequest, values);
  return row ? listedOf(row) : null;
}

/** What an email about an appointment needs, or null when the appointment has no account. */
export interface EmailFacts {
  readonly to: string;
  readonly appointment: StoredAppointment;
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  readonly movedFrom: EpochSeconds | null;
}

export async function emailFacts(db: Db, appointmentId: string): Promise<EmailFacts | null> {
  interface Row extends AppointmentRow {
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly moved_from_s: number | null;
  }
  const [row] = await run<Row>(db, appointmentForEmail, [appointmentId]);
  if (!row) return null;
  return {
    to: row.email,
    appointment: appointmentOf(row),
    doctor: { firstName: row.first_name, lastName: row.last_name },
    movedFrom: row.moved_from_s,
  };
}
