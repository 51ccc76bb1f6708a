import { useQueries } from '@tanstack/react-query';
import type {
  AppointmentType,
  AppointmentTypeCode,
  Doctor,
  DoctorStatus,
  PatientFacts,
} from '@clinic/domain';
import type { ClinicConfig, WireUser } from '@clinic/contract';
import { useMemo } from 'react';
import { useConfig } from '../../shared/api/config.ts';
import { useUser } from '../../shared/session/session.ts';
import { patientFacts, typeFromWire } from './from-the-wire.ts';
import { doctorsQuery, doctorStatusQuery, noPcpQuery, primaryDoctorQuery } from './slot-queries.ts';

/** What every booking screen knows of the patient and the clinic. */
export interface BookingData {
  readonly user: WireUser;
  readonly config: ClinicConfig | null;
  readonly types: readonly AppointmentType[];
  readonly doctors: readonly Doctor[];
  readonly statuses: ReadonlyMap<string, DoctorStatus>;
  readonly patient: PatientFacts;
}

export type Loaded =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly data: BookingData };

export function useBookingData(): Loaded {
  const user = useUser();
  const config = useConfig();
  const [doctors, statuses, noPcp, primary] = useQueries({
    queries: [doctorsQuery, doctorStatusQuery, noPcpQuery, primaryDoctorQuery(user)],
  });
  const types = useMemo(() => user.appointmentType.map(typeFromWire), [user]);
  const patient = useMemo(
    () =>
      patientFacts(user, {
        noPcp: noPcp.data ?? 'unknown',
        hasActivePrimaryDoctor: primary.data ?? 'unknown',
      }),
    [user, noPcp.data, primary.data],
  );
  if (doctors.data && statuses.data)
    return {
      state: 'ready',
      data: { user, config, types, doctors: doctors.data, statuses: statuses.data, patient },
    };
  if (doctors.isError || statuses.isError)
    return {
      state: 'failed',
      retry: () => {
        void doctors.refetch();
        void statuses.refetch();
      },
    };
  return { state: 'loading' };
}

export function typeOf(data: BookingData, code: AppointmentTypeCode): AppointmentType {
  const type = data.types.find((one) => one.code === code);
  if (!type) throw new Error(`The patient has no type ${code}`);
  return type;
}

export function doctorOf(data: BookingData, id: string): Doctor {
  return data.doctors.find((one) => one.id === id) ?? { id, firstName: '', lastName: id };
}
