import type { CallAnswer } from '@clinic/contract';
import {
  type ClinicDate,
  type DayRuler,
  NOT_WORKING,
  STEP_SECONDS,
  addDays,
  attendanceOf,
  dayRuler,
  feeStateOf,
  isBooked,
  isHold,
  isPaying,
  mayAny,
  nextAttendances,
  shortName,
  startOfDay,
  statusOf,
  stepStart,
  toClinic,
  typeSign,
  whyCannotCancel,
} from '@clinic/domain';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import type { OverlappedAppointment } from '../../appointments/index.ts';
import type { closedBetween } from '../../closings/index.ts';
import type { marksByRecord } from '../../patients/index.ts';
import type { knownTypes, readLengths } from '../../schedule/index.ts';
import type { ProviderOfDay, SheetRow } from './day-sheet.store.ts';

type Sheet = CallAnswer<'deskDay'>['extras'];
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Of the day, and maybe of others. */
interface SheetFacts {
  readonly rows: readonly SheetRow[];
  readonly providers: readonly ProviderOfDay[];
  readonly busy: readonly (Stretch & { readonly providerId: string })[];
  readonly overlapped: readonly OverlappedAppointment[];
  readonly closings: Awaited<ReturnType<typeof closedBetween>>;
  readonly lengths: Awaited<ReturnType<typeof readLengths>>;
  readonly types: Awaited<ReturnType<typeof knownTypes>>;
  readonly marks: Awaited<ReturnType<typeof marksByRecord>>;
  /** Since when each record has been here. */
  readonly hereSince: ReadonlyMap<string, ClinicDate>;
  /** By how many minutes each provider runs late today. */
  readonly late: ReadonlyMap<string, number>;
  readonly staff: SignedInStaff;
  /** True when an EMR keeps the appointments. There staff then note attendance, and cancel when a patient came. */
  readonly isInEmr: boolean;
  readonly now: number;
}

/** Shows the providers who work on that day or have an appointment on it; all of them where its hours are given. */
export function daySheet(date: ClinicDate, facts: SheetFacts, given?: Stretch): Sheet {
  const { overlapped, marks, staff, isInEmr, now } = facts;
  const next = startOfDay(addDays(date, 1));
  const isOn = ({ start }: Stretch) => start >= startOfDay(date) && start < next;
  const rows = facts.rows.filter(isOn);
  const busy = facts.busy.filter(isOn);
  const providers = facts.providers.filter((each) => each.date === date);
  const isToday = date === toClinic(now).date;
  const ruler = dayRuler(date);
  const working = new Map(
    providers.map(({ id, codes, active }) => {
      const typesOn = typesOfCodes(facts, id);
      return [id, active && codes !== null ? openSpans(codes, ruler, typesOn) : []];
    }),
  );
  const names = new Map(providers.map((each) => [each.id, shortName(each)]));
  const withSomebody = rows.filter(
    (row) => isNamed(row) && (isBooked(row) || row.linkUntil !== null),
  );
  const ofRecord = Object.groupBy(withSomebody, ({ recordId }) => recordId);
  const otherOf = ({ recordId, providerId }: SheetRow) => {
    const other = ofRecord[recordId]?.find((each) => each.providerId !== providerId);
    return other ? { name: names.get(other.providerId) ?? '', start: other.start } : null;
  };
  const ofProvider = Object.groupBy(rows, ({ providerId }) => providerId);
  const busyOf = Object.groupBy(busy, ({ providerId }) => providerId);
  const overlapOf = new Map(
    overlapped.map(({ id, otherStart, otherEnd }) => [id, { start: otherStart, end: otherEnd }]),
  );
  const shown = providers.filter(
    ({ id }) =>
      given !== undefined || (working.get(id) ?? []).length > 0 || ofProvider[id] !== undefined,
  );
  const all = shown.flatMap(({ id }) => [...(working.get(id) ?? []), ...(ofProvider[id] ?? [])]);
  const hours = given ?? around(all);
  const onSheet = new Set(rows.map(({ type }) => type));
  return {
    date,
    hours,
    types: facts.types
      .map((type, place) => ({ ...type, sign: typeSign(type, place) }))
      .filter(({ code, active }) => active || onSheet.has(code)),
    providers: shown.map(({ id, bookable }) => ({
      id,
      name: names.get(id) ?? '',
      lateMinutes: (isToday && facts.late.get(id)) || undefined,
      closed: hours === null ? [] : gapsIn(hours, bookable ? (working.get(id) ?? []) : []),
      busy: busyOf[id] ?? [],
      open: bookable ? (working.get(id) ?? []) : [],
      closings:
        hours === null
          ? []
          : facts.closings
              .filter(
                ({ providerIds, from, to }) =>
                  providerIds.includes(id) && from < hours.end && to > hours.start,
              )
              .map((each) => ({
                id: each.id,
                start: Math.max(each.from, hours.start),
                end: Math.min(each.to, hours.end),
              })),
      appointments: (ofProvider[id] ?? []).map((row) => ({
        ...row,
        patient: isNamed(row) ? row.patient : null,
        state: statusOf(row.state),
        attendance: attendanceOf(row),
        fee: feeOf(row),
        next: isInEmr ? [] : [...nextAttendances(row, now)],
        movesFor:
          row.state === 'booked' && !row.isCancelling && mayAny(staff.roles, 'bookAppointment')
            ? (row.patientId ?? row.recordId)
            : null,
        hasAccount: row.patientId !== null,
        isCancellable:
          ((isInEmr ? row.state === 'booked' : isBooked(row)) || row.linkUntil !== null) &&
          mayAny(staff.roles, 'cancelAppointment'),
        isGone: isInEmr && row.isGone,
        patientCannotCancel: whyPatientCannot(row, now),
        overlap: overlapOf.get(row.id) ?? null,
        ...(isNamed(row) && {
          ...(!isInEmr && { isFirst: (facts.hereSince.get(row.recordId) ?? date) >= date }),
          hasAlert: (marks.get(row.recordId)?.alerts ?? []).length > 0,
          labels: marks.get(row.recordId)?.labels ?? [],
          otherProvider: otherOf(row),
        }),
      })),
    })),
  };
}

/** From the first start to the last end; null of nothing. */
export const around = (spans: readonly Stretch[]): Stretch | null =>
  spans.length === 0
    ? null
    : {
        start: Math.min(...spans.map(({ start }) => start)),
        end: Math.max(...spans.map(({ end }) => end)),
      };

/** A time that a patient is just choosing does not say whose it is. */
export const isNamed = (row: SheetRow) => !isHold(row) || row.linkUntil !== null;

/** 'tooLate' also for an appointment that has begun. */
function whyPatientCannot(row: SheetRow, now: number) {
  const why = isBooked(row) ? whyCannotCancel(row, now) : null;
  return why === 'notEditable' || why === 'noBooking' ? 'tooLate' : why;
}

export function feeOf({ state, paidNow, feeAtClinic }: SheetRow) {
  if (isPaying({ state })) return 'underWay';
  if (paidNow > 0) return 'paid';
  return feeAtClinic === null ? 'none' : feeStateOf(feeAtClinic);
}

/** The types that may be booked with a provider on each slot code. */
export function typesOfCodes(
  { types, lengths }: Pick<SheetFacts, 'types' | 'lengths'>,
  providerId: string,
) {
  const refused = lengths.paces.filter((pace) => pace.providerId === providerId && !pace.offers);
  const offered = types
    .filter(({ code, active }) => active && !refused.some(({ type }) => type === code))
    .map(({ code }) => code);
  return new Map(
    lengths.codes.map((rules) => [
      rules.code,
      offered.filter((code) => rules.types.includes(code)),
    ]),
  );
}

/** When a provider works by the day's slot codes, and for which types. */
export function openSpans(codes: string, ruler: DayRuler, typesOn: ReadonlyMap<string, string[]>) {
  const spans: { start: number; end: number; types: string[] }[] = [];
  for (const [step, code] of Array.from(codes).entries()) {
    const start = code === NOT_WORKING ? null : stepStart(ruler, step);
    if (start === null) continue;
    const types = typesOn.get(code) ?? [];
    const last = spans.at(-1);
    if (last?.end === start && last.types.join() === types.join()) last.end += STEP_SECONDS;
    else spans.push({ start, end: start + STEP_SECONDS, types });
  }
  return spans;
}

function gapsIn(hours: Stretch, worked: readonly Stretch[]): Stretch[] {
  const edges = [hours.start, ...worked.flatMap(({ start, end }) => [start, end]), hours.end];
  return edges.flatMap((start, at) => {
    const end = edges[at + 1];
    return at % 2 === 0 && end !== undefined && start < end ? [{ start, end }] : [];
  });
}
