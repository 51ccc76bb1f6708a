import { centsOf, hasFamilyDoctor } from '@clinic/domain';
import { useQueries, type QueryClient } from '@tanstack/react-query';
import type {
  Appointment,
  AppointmentType,
  AppointmentTypeCode,
  Doctor,
  DoctorStatus,
  EpochSeconds,
  PatientFacts,
} from '@clinic/domain';
import type { ApiAppointment, ApiAppointmentType, ApiUser, ClinicConfig } from '@clinic/contract';
import { useMemo } from 'react';
import { appointmentFromApi, appointmentsQuery } from '../../../api/appointments.ts';
import { useConfig } from '../../../api/config.ts';
import { useUser } from '../../../shared/session/session.ts';
import type { RescheduleOf } from '../journey.ts';
import {
  doctorsQuery,
  doctorStatusQuery,
  holdQuery,
  noPcpQuery,
  primaryDoctorQuery,
} from '../slots/slot-queries.ts';

/** What every booking screen knows of the patient and the clinic. */
export interface BookingData {
  readonly user: ApiUser;
  readonly config: ClinicConfig | null;
  readonly types: readonly AppointmentType[];
  readonly doctors: readonly Doctor[];
  readonly statuses: ReadonlyMap<string, DoctorStatus>;
  readonly patient: PatientFacts;
  /** The patient's appointments; null when they could not be loaded. */
  readonly appointments: readonly ApiAppointment[] | null;
}

type Loaded =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly data: BookingData };

export function useBookingData(): Loaded {
  const user = useUser();
  const config = useConfig();
  const [doctors, statuses, noPcp, primary, list, hold] = useQueries({
    queries: [
      doctorsQuery,
      doctorStatusQuery,
      noPcpQuery,
      primaryDoctorQuery(user),
      appointmentsQuery(),
      holdQuery,
    ],
  });
  const types = useMemo(() => user.appointmentType.map(typeFromApi), [user]);
  const patient = useMemo(
    () =>
      patientFacts(user, {
        noPcp: noPcp.data ?? 'unknown',
        hasActivePrimaryDoctor: primary.data ?? 'unknown',
      }),
    [user, noPcp.data, primary.data],
  );
  // What comes first on step 1 depends on the appointments and the hold: nothing moves when they come.
  const isAnswered = [list, hold].every((one) => !one.isPending || one.failureCount > 0);
  if (doctors.data && statuses.data && isAnswered)
    return {
      state: 'ready',
      data: {
        user,
        config,
        types,
        doctors: doctors.data,
        statuses: statuses.data,
        patient,
        appointments: list.data?.appointments ?? null,
      },
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

/** The appointment that is being moved, where it is known. */
export function movedOf(data: BookingData, rescheduleOf: RescheduleOf | null) {
  return data.appointments?.find(({ id }) => id === rescheduleOf?.appointmentId) ?? null;
}

/** The appointments to come, which the limits count. */
export function standingOf({ appointments }: BookingData, now: EpochSeconds): Appointment[] {
  return (appointments ?? [])
    .map(appointmentFromApi)
    .filter(({ state, start }) => start > now && (state === 'booked' || state === 'registered'));
}

export function typeOf(data: BookingData, code: AppointmentTypeCode): AppointmentType {
  const type = data.types.find((one) => one.code === code);
  if (!type) throw new Error(`The patient has no type ${code}`);
  return type;
}

export function doctorOf(data: BookingData, id: string): Doctor {
  return data.doctors.find((one) => one.id === id) ?? { id, firstName: '', lastName: id };
}

/** Next reads 'Checking...' for ten seconds at most. */
const CHECKING_LIMIT_MS = 10_000;

/**
 * Waits until the checks that the type depends on have an answer, asking those again that failed;
 * after ten seconds the journey goes on without.
 */
export async function settleChecks(
  queryClient: QueryClient,
  user: ApiUser,
  type: Pick<AppointmentType, 'enforceMrp' | 'enforceNoPcp'>,
): Promise<void> {
  const open: Promise<unknown>[] = [];
  const ask = (query: Promise<unknown>) => open.push(query.catch(() => {}));
  if (type.enforceNoPcp) ask(queryClient.fetchQuery(noPcpQuery));
  if (type.enforceMrp) ask(queryClient.fetchQuery(primaryDoctorQuery(user)));
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => {
    limit = setTimeout(resolve, CHECKING_LIMIT_MS);
  });
  await Promise.race([Promise.all(open), tooLong]);
  clearTimeout(limit);
}

/** What the checks have said so far. */
export function knownChecks(queryClient: QueryClient, user: ApiUser): PatientChecks {
  return {
    noPcp: queryClient.getQueryData(noPcpQuery.queryKey) ?? 'unknown',
    hasActivePrimaryDoctor:
      queryClient.getQueryData(primaryDoctorQuery(user).queryKey) ?? 'unknown',
  };
}

/** The clinic's words for what the API calls otherwise. */
function typeFromApi(entry: ApiAppointmentType): AppointmentType {
  return {
    code: entry.code,
    description: entry.description,
    enabled: entry.status === 'enabled',
    enforceMrp: entry.enforceMRP,
    enforceNoPcp: entry.enforceNoPCP,
    chargeCents: centsOf(entry.chargeAmount) ?? 0,
    requiresDocuments: entry.requiresDocumentUpload,
    minutes: entry.minutes,
    mode: entry.mode,
    form: entry.form,
    instruction: entry.instruction,
    isPrivate: entry.isPrivate,
    byNursePractitioners: entry.byNursePractitioners,
    resetsDoctor: entry.resetsDoctor,
  };
}

/** The Important Notice of a type for this patient, or null. */
export function noticeOf(
  { appointmentType }: Pick<ApiUser, 'appointmentType'>,
  code: AppointmentTypeCode,
): string | null {
  return appointmentType.find((entry) => entry.code === code)?.notice ?? null;
}

/** What the two checks of step 1 said; 'unknown' while they run or when they failed. */
interface PatientChecks {
  readonly noPcp: boolean | 'unknown';
  readonly hasActivePrimaryDoctor: boolean | 'unknown';
}

export function patientFacts(user: ApiUser, checks: PatientChecks): PatientFacts {
  return {
    hasFamilyDoctor: hasFamilyDoctor(checks.noPcp, user.familyDoc),
    hasActivePrimaryDoctor: checks.hasActivePrimaryDoctor,
    blockedProviders: user.blockedProviders,
  };
}
