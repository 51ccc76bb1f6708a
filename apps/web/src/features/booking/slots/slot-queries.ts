import type { AppointmentTypeCode, ClinicDate, DateSpan, DoctorStatus } from '@clinic/domain';
import { daysToFetch, datesOf } from '@clinic/domain';
import type { ApiDoctorStatus, ApiHold, ApiScheduleDay, ApiUser } from '@clinic/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../api/api-error.ts';
import { request } from '../../../api/service.ts';

/** One factory per call of the booking screens; keys stand here and nowhere else. */

export const doctorsQuery = queryOptions({
  queryKey: ['doctors'],
  queryFn: ({ signal }) => request('listDoctors', {}, { signal }),
  staleTime: 5 * 60_000,
});

/** The list of doctors names only active ones, so a status from its map is active. */
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

/** Whether the patient's family doctor is elsewhere; a failure is silent. */
export const noPcpQuery = queryOptions({
  queryKey: ['check-nopcp'],
  queryFn: async ({ signal }) => (await request('checkNoPcp', {}, { signal })).noPCP,
  staleTime: 5 * 60_000,
  retry: false,
});

/** Whether the patient has an active primary doctor at the clinic. */
export const primaryDoctorQuery = ({ demographicNo }: Pick<ApiUser, 'demographicNo'>) =>
  queryOptions({
    queryKey: ['primary-doctor', demographicNo],
    queryFn: async ({ signal }): Promise<boolean> => {
      // Who has no record, or none that the clinic knows, has no doctor here; that is no failure.
      if (demographicNo === '') return false;
      try {
        const answer = await request('getPatientRecord', { params: { demographicNo } }, { signal });
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
  queryKey: ['hold'],
  queryFn: async ({ signal }): Promise<ApiHold | null> =>
    (await request('readHold', { headers: {} }, { signal })).extras.hold,
  staleTime: Infinity,
});

/** What an appointment of the type costs this patient, asked anew each time. */
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
    // An offer beside the specified words: without an answer there is none.
    retry: false,
    retryOnMount: false,
  });

/** Whose days are asked for, and for which type: -1 is all doctors. */
interface DaysOf {
  readonly doctorId: string;
  readonly type: AppointmentTypeCode;
}

const dayKey = ({ doctorId, type }: DaysOf, date: ClinicDate) =>
  ['schedule', `${type} ${doctorId}`, date] as const;
/** How long a fetched day is shown without asking again, in milliseconds. */
export const DAY_FRESH_MS = 60_000;

function freshDay(queryClient: QueryClient, of: DaysOf, date: ClinicDate) {
  const state = queryClient.getQueryState<ApiScheduleDay>(dayKey(of, date));
  const fresh = state && !state.isInvalidated && Date.now() - state.dataUpdatedAt < DAY_FRESH_MS;
  return fresh ? state.data : undefined;
}

/**
 * The days of `shown`, ascending. Days fetched a moment ago need no call; when one of these does,
 * the rest of `span` is fetched with it. Each lists the starts of the type that are free to the
 * patient, before notice hides any.
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

/** A day on which something was taken or freed is asked for anew when it is shown next. */
export function forgetDay(queryClient: QueryClient, date: ClinicDate): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [of, , day] }) => of === 'schedule' && day === date,
    refetchType: 'none',
  });
}

/** What was fetched of the schedule is no longer believed: a slot was lost, taken or given back. */
export function forgetDays(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['schedule'], refetchType: 'none' });
}
