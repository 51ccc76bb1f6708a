import { centsOf, datesOf, daysToFetch, hasFamilyDoctor } from '@clinic/domain';
import type {
  Appointment,
  AppointmentType,
  AppointmentTypeCode,
  ClinicDate,
  DateSpan,
  Doctor,
  DoctorStatus,
  EpochSeconds,
  PatientFacts,
} from '@clinic/domain';
import type {
  ApiAppointment,
  ApiAppointmentType,
  ApiDoctorStatus,
  ApiHold,
  ApiScheduleDay,
  ApiUser,
  ClinicConfig,
} from '@clinic/contract';
import { queryOptions, useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '@clinic/app/api-error';
import { HOLD_KEY, appointmentFromApi, appointmentsQuery } from '../../api/appointments.ts';
import { useConfig } from '../../api/config.ts';
import { BACKGROUND, request } from '../../api/service.ts';
import { useUser } from '../../shared/session/session.ts';
import type { Draft, OpenJourney, RescheduleOf, Step } from './journey.ts';

/** What every booking screen knows about the patient and the clinic. */
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

/** What each step of the journey is given. */
export interface StepProps<Name extends Step> extends OpenJourney {
  readonly data: BookingData;
  readonly draft: Extract<Draft, { step: Name }>;
}

type Loaded =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly data: BookingData };

export function useBookingData(): Loaded {
  const user = useUser();
  const config = useConfig();
  const queryClient = useQueryClient();
  const [doctors, statuses, noPcp, primary, list, hold] = useQueries({
    queries: [
      doctorsQuery,
      doctorStatusQuery,
      noPcpQuery,
      {
        ...primaryDoctorQuery(user),
        // Until a record is read that was just opened, what was known without it counts.
        placeholderData: () =>
          queryClient.getQueryData<boolean>(primaryDoctorQuery({ demographicNo: '' }).queryKey),
      },
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
  // Step 1 waits for the appointments and the hold, so that nothing moves when they arrive.
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

/** The appointment that is being moved; null when there is none or it is not in the list. */
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

/** The 'Checking...' label of Next stays for ten seconds at most. */
const CHECKING_LIMIT_MS = 10_000;

/**
 * Waits until the checks that the type depends on are answered, repeating those that failed. After
 * ten seconds the journey goes on without the missing answers.
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

/** The answers of the checks so far. */
export function knownChecks(queryClient: QueryClient, user: ApiUser): PatientChecks {
  return {
    noPcp: queryClient.getQueryData(noPcpQuery.queryKey) ?? 'unknown',
    hasActivePrimaryDoctor:
      queryClient.getQueryData(primaryDoctorQuery(user).queryKey) ?? 'unknown',
  };
}

/** Converts the API's appointment type to the domain's. */
function typeFromApi(entry: ApiAppointmentType): AppointmentType {
  return {
    code: entry.code,
    description: entry.description,
    translations: entry.translations ?? null,
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

/** Answers of the two checks of step 1; 'unknown' while a check runs or when it failed. */
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

/** One query factory per call of the booking screens. Query keys are written only here. */

export const doctorsQuery = queryOptions({
  queryKey: ['doctors'],
  queryFn: ({ signal }) => request('listDoctors', {}, { signal }),
  staleTime: 5 * 60_000,
});

/** The API lists only active doctors, so every status it sends is that of an active one. */
function statusFromApi(entry: ApiDoctorStatus): DoctorStatus {
  return {
    disabled: entry.scheduledisable,
    comment: entry.scheduledcomment,
    hidden: entry.noscheduledisplay,
    familyOnly: entry.onlyFamilyDoctor,
    noPcp: entry.noPCP,
    active: true,
  };
}

export const doctorStatusQuery = queryOptions({
  queryKey: ['doctors', 'status'],
  queryFn: async ({ signal }) => {
    const entries = Object.entries(await request('doctorStatus', {}, { signal }));
    return new Map(entries.map(([id, entry]) => [id, statusFromApi(entry)]));
  },
  structuralSharing: false,
  staleTime: 60_000,
});

/** Whether the patient's family doctor works elsewhere. A failure shows no error. */
export const noPcpQuery = queryOptions({
  queryKey: ['check-nopcp'],
  queryFn: async ({ signal }) => (await request('checkNoPcp', {}, { signal, ...BACKGROUND })).noPCP,
  staleTime: 5 * 60_000,
  retry: false,
});

/** Whether the patient has an active primary doctor at the clinic. */
export const primaryDoctorQuery = ({ demographicNo }: Pick<ApiUser, 'demographicNo'>) =>
  queryOptions({
    queryKey: ['primary-doctor', demographicNo],
    queryFn: async ({ signal }): Promise<boolean> => {
      // A patient without a record, or with one the clinic does not know, has no doctor here: no error.
      if (demographicNo === '') return false;
      try {
        const options = { signal, ...BACKGROUND };
        const answer = await request('getPatientRecord', { params: { demographicNo } }, options);
        return answer.demographic.providerNo !== '' && answer.provider.enabled;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return false;
        throw error;
      }
    },
    staleTime: 5 * 60_000,
    retry: false,
  });

/** The hold that the service keeps for this patient, with its draft. */
export const holdQuery = queryOptions({
  queryKey: HOLD_KEY,
  queryFn: async ({ signal }): Promise<ApiHold | null> =>
    (await request('readHold', { headers: {} }, { signal, ...BACKGROUND })).extras.hold,
  staleTime: Infinity,
});

/** What an appointment of the type costs this patient; never served from the cache. */
export const appStateQuery = (
  selectedType: AppointmentTypeCode,
  { eligibility }: Pick<ApiUser, 'eligibility'>,
) =>
  queryOptions({
    queryKey: ['appstate', selectedType, eligibility],
    queryFn: async ({ signal }) =>
      (await request('appState', { query: { eligibility, selectedType } }, { signal })).extras,
    staleTime: 0,
    retry: false,
  });

/** The earliest time that this patient may book; null when the whole window has none. */
export const earliestQuery = (type: AppointmentTypeCode, doctorId: string) =>
  queryOptions({
    queryKey: ['schedule', 'earliest', type, doctorId],
    queryFn: async ({ signal }) =>
      (await request('earliestSlot', { query: { type, id: doctorId } }, { signal })).extras.slot,
    staleTime: 0,
    // This offer is an extra: when the call fails, the page shows none.
    retry: false,
    retryOnMount: false,
  });

/** The doctor whose days are fetched (-1 for all doctors), and the appointment type. */
interface DaysOf {
  readonly doctorId: string;
  readonly type: AppointmentTypeCode;
}

const dayKey = ({ doctorId, type }: DaysOf, date: ClinicDate) =>
  ['schedule', `${type} ${doctorId}`, date] as const;
/** How long a fetched day counts as fresh, in milliseconds. */
export const DAY_FRESH_MS = 60_000;

function freshDay(queryClient: QueryClient, of: DaysOf, date: ClinicDate) {
  const state = queryClient.getQueryState<ApiScheduleDay>(dayKey(of, date));
  const fresh = state && !state.isInvalidated && Date.now() - state.dataUpdatedAt < DAY_FRESH_MS;
  return fresh ? state.data : undefined;
}

/**
 * Returns the days of `shown`, ascending. Fresh days need no call; if any day is stale, the rest of
 * `span` is fetched with it. Each day lists the starts of the type that are free to the patient,
 * before the minimum notice hides any.
 */
export async function loadDays(
  queryClient: QueryClient,
  of: DaysOf,
  shown: DateSpan,
  span: DateSpan,
  signal?: AbortSignal,
): Promise<ApiScheduleDay[]> {
  const isFresh = (date: ClinicDate) => freshDay(queryClient, of, date) !== undefined;
  const dates = datesOf(shown);
  const fetched = new Set(datesOf(span).filter(isFresh));
  const calls = dates.every((date) => fetched.has(date)) ? [] : daysToFetch(span, fetched);
  await Promise.all(
    calls.map(async ({ from, to }) => {
      const query = { from, to, id: of.doctorId, type: of.type };
      const { extras } = await request('doctorSchedule', { query }, signal ? { signal } : {});
      const days = new Map(extras.map((day) => [day.date, day]));
      for (const date of datesOf({ from, to }))
        queryClient.setQueryData(dayKey(of, date), days.get(date) ?? { date, providers: [] });
    }),
  );
  return dates.map(
    (date) => queryClient.getQueryData<ApiScheduleDay>(dayKey(of, date)) ?? { date, providers: [] },
  );
}

/** Marks a day as stale after a slot on it was taken or freed; it is fetched when next shown. */
export function forgetDay(queryClient: QueryClient, date: ClinicDate): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [of, , day] }) => of === 'schedule' && day === date,
    refetchType: 'none',
  });
}

/** Marks the whole fetched schedule as stale, after a slot was lost, taken or given back. */
export function forgetDays(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['schedule'], refetchType: 'none' });
}
