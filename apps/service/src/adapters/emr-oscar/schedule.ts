import { createHash } from 'node:crypto';

import {
  type Appointment,
  type AppointmentNo,
  type Calls,
  type DayTemplate,
  type Oscar,
  type Provider,
  type ProviderNo,
  firstWritten,
  isLive,
  keysIn,
  providerNo,
  stateOf,
} from '@clinic/oscar';
import {
  type DateSpan,
  NOT_WORKING,
  STEPS_PER_DAY,
  addDays,
  datesOf,
  stepOfTime,
  toClinic,
} from '@clinic/domain';

import type {
  Emr,
  EmrAppointmentId,
  EmrChanges,
  EmrDay,
  EmrEntry,
  EmrLocation,
  ProviderId,
} from '../../modules/records/emr.ts';
import type { AskOscar } from './ask-oscar.ts';

/** OSCAR's provider types of those who have patients; a nurse practitioner is one of them. */
const CLINICIANS = ['doctor', 'nurse', 'midwife', 'resident'];
const STEP_MINUTES = 5;
/** How far ahead the clinic is booked. */
const DAYS_AHEAD = 91;
/** Each provider and day takes a call: more at once would delay patients and the rest of the sync's turn. */
const TEMPLATES_AT_ONCE = 60;
/** How far back and ahead staff's rows tell of sites. */
const DAYS_OF_SITES = 28;

/** The reads of the sync. */
export function scheduleOf(ask: AskOscar, now: () => number) {
  const active = async (oscar: Oscar) => (await oscar.providers()).filter(seesPatients);

  async function entriesBetween(
    oscar: Oscar,
    dates: DateSpan,
    of?: readonly ProviderId[],
  ): Promise<EmrEntry[]> {
    const providers = (await active(oscar))
      .map(({ no }) => no)
      .filter((no) => of === undefined || of.includes(providerId(no)));
    const { appointments: found, unread } = await oscar.readableAppointments({
      providers,
      ...dates,
    });
    const byKey = Map.groupBy(found, keyOf);
    const entries = found.map((each) => {
      const entry = entryOf(each);
      return firstWritten(byKey.get(entry.key) ?? []) === each ? entry : { ...entry, key: null };
    });
    return [...entries, ...unread.map(unreadDay)];
  }

  return {
    providers: () =>
      ask(async (oscar) =>
        (await oscar.providers()).map(({ no, firstName, lastName, ...each }) => ({
          id: providerId(no),
          firstName,
          lastName,
          status: seesPatients(each) ? '1' : '0',
        })),
      ),

    /** When the clinic has a code twice, the first one counts. */
    slotCodes: () =>
      ask(async (oscar) => {
        const codes = await oscar.templateCodes();
        const first = codes.filter(
          ({ code }, at) => codes.findIndex((each) => each.code === code) === at,
        );
        return first.map(({ minutes, ...each }) => ({
          ...each,
          minutes: minutes !== null && minutes > 0 && minutes % STEP_MINUTES === 0 ? minutes : null,
        }));
      }),

    names: () =>
      ask(async (oscar) => ({
        types: await oscar.appointmentTypes(),
        locations: sitesIn(await rowsAround(oscar, await active(oscar), now())),
      })),

    dayTemplates: ({ from, to }: DateSpan) =>
      ask(async (oscar) => {
        const providers = await active(oscar);
        const most = Math.max(1, Math.floor(TEMPLATES_AT_ONCE / Math.max(1, providers.length)));
        const dates = datesOf({ from, to }).slice(0, most);
        const read = dates.flatMap((date) =>
          providers.map(({ no }) => oscar.dayTemplate(no, date)),
        );
        const days = (await Promise.all(read)).flatMap(dayOf);
        const through = dates.at(-1) ?? addDays(from, -1);
        return { days, through };
      }),

    // Staff may have changed it since it was read for another reason: nothing is taken from the cache.
    dayNow: (date: string, of: readonly ProviderId[]) =>
      ask(async ({ urgent }) =>
        (await Promise.all(of.map((id) => urgent.dayTemplate(providerNo(id), date)))).flatMap(
          dayOf,
        ),
      ),

    entries: (dates: DateSpan, of?: readonly ProviderId[]) =>
      ask((oscar) => entriesBetween(oscar, dates, of)),

    changedSince: (cursor: string | null) =>
      ask(async (oscar) => {
        const last = cursorOf(cursor);
        // The first question of each sync says whether OSCAR is there: it is asked although others failed.
        const changes = await oscar.urgent.changedSince(last.at);
        const found = changes.appointments.map((each) => {
          const entry = entryOf(each);
          return { entry, words: `${wordsOf(entry)} ${each.status}` };
        });
        const named = changesIn(found, last, changes.cursor);
        if (changes.isWhole) return named;
        // Not all that changed is named, so all days are: that many are read as one window.
        const today = toClinic(now()).date;
        const dates = datesOf({ from: today, to: addDays(today, DAYS_AHEAD) });
        const all = (await active(oscar)).flatMap(({ no }) =>
          dates.map((date) => ({ date, providerId: providerId(no) })),
        );
        return { ...named, days: all };
      }),
  } satisfies Partial<Emr>;
}

/** Receptionists, and accounts for billing or for programs, stand among OSCAR's providers, too. */
export const seesPatients = ({ active, type }: Pick<Provider, 'active' | 'type'>) =>
  active && CLINICIANS.includes(type.toLowerCase());

/** The live rows of these weeks. */
export async function rowsAround(
  oscar: Calls,
  providers: readonly Pick<Provider, 'no'>[],
  now: number,
): Promise<readonly Appointment[]> {
  const today = toClinic(now).date;
  const { appointments } = await oscar.readableAppointments({
    providers: providers.map(({ no }) => no),
    from: addDays(today, -DAYS_OF_SITES),
    to: addDays(today, DAYS_OF_SITES),
  });
  return appointments;
}

/**
 * No service of OSCAR's says whether it has sites. Where it has, its pages give every row one; where it has none,
 * they have a field for any text. So most rows decide. '0' is what they write for no choice.
 */
export function sitesIn(rows: readonly Appointment[]): EmrLocation[] | null {
  const byStaff = rows.filter((each) => keysIn(each).length === 0);
  if (byStaff.length === 0) return null;
  const placed = byStaff.filter(({ location }) => !['', '0', 'null'].includes(location.trim()));
  if (placed.length * 2 <= byStaff.length) return [];
  const byPlace = Map.groupBy(placed, ({ providerNo: no, location }) => `${no} ${location}`);
  return [...byPlace.values()]
    .flatMap(([first, ...more]) =>
      first
        ? {
            providerId: providerId(first.providerNo),
            name: first.location,
            entries: 1 + more.length,
          }
        : [],
    )
    .sort((one, other) => other.entries - one.entries);
}

interface Cursor {
  /** The time by OSCAR's clock; null before the first. */
  readonly at: string | null;
  /** Digests of the last answer, by date and provider. */
  readonly seen: Readonly<Record<string, string>>;
}

const cursorOf = (text: string | null): Cursor =>
  text === null ? { at: null, seen: {} } : (JSON.parse(text) as Cursor);

interface Found {
  readonly entry: EmrEntry;
  readonly words: string;
}

/** A day has changed when its digest has: OSCAR repeats what was written in the second of its last answer. */
function changesIn(found: readonly Found[], last: Cursor, at: string): EmrChanges {
  const byDay = Map.groupBy(found, ({ entry }) => `${entry.date} ${entry.providerId}`);
  const seen = Object.fromEntries(
    [...byDay].map(([day, each]) => [day, digest(each.map(({ words }) => words))]),
  );
  const cursor = JSON.stringify({ at, seen });
  if (last.at === null) return { cursor, days: [], entries: [], keys: [] };
  const changed = Object.keys(seen)
    .filter((day) => seen[day] !== last.seen[day])
    .sort();
  const days = changed.map((day) => {
    const [date = '', provider = ''] = day.split(' ');
    return { date, providerId: provider as ProviderId };
  });
  const entries = changed.flatMap((day) => (byDay.get(day) ?? []).map(({ entry }) => entry));
  return {
    cursor,
    days,
    entries: entries.map(({ id }) => id),
    keys: entries.flatMap(({ key }) => key ?? []),
  };
}

const digest = (words: readonly string[]) =>
  createHash('sha256')
    .update([...words].sort().join('\n'))
    .digest('base64url')
    .slice(0, 12);

const wordsOf = ({ id, providerId: provider, date, start, end, state, key }: EmrEntry) =>
  [id, provider, date, start, end, state, key].join(' ');

export const entryId = (no: AppointmentNo) => no as string as EmrAppointmentId;
const providerId = (no: ProviderNo) => no as string as ProviderId;

/** Empty when the day's steps are no multiple of five minutes and so cannot be shown: a day without work. */
export function dayOf(template: DayTemplate | null): EmrDay[] {
  if (template === null || template.stepMinutes % STEP_MINUTES !== 0) return [];
  const codes = Array.from({ length: STEPS_PER_DAY }, () => NOT_WORKING);
  for (const { start, code } of template.steps) {
    const first = stepOfTime(start);
    codes.fill(code, first, first + template.stepMinutes / STEP_MINUTES);
  }
  return [
    { providerId: providerId(template.providerNo), date: template.date, codes: codes.join('') },
  ];
}

const isOurs = (key: string) => /^[a-z]+:[0-9a-f-]{36}$/.test(key);
export const hasOurKey = (appointment: Appointment) => keysIn(appointment).some(isOurs);

/** Our key in the notes. Staff write text in brackets too, before our key or after it. */
const keyOf = (appointment: Appointment) => {
  const keys = keysIn(appointment);
  return keys.find(isOurs) ?? keys[0] ?? null;
};

/** Without the reason and notes that staff wrote. */
export function entryOf(appointment: Appointment): EmrEntry {
  const { no, span, status } = appointment;
  const state = stateOf(status);
  return {
    id: entryId(no),
    providerId: providerId(appointment.providerNo),
    key: keyOf(appointment),
    ...span,
    state: state === 'cancelled' ? 'booked' : state,
  };
}

/** A day with a row that OSCAR cannot read. */
const unreadDay = ({
  providerNo: no,
  date,
}: Pick<DayTemplate, 'providerNo' | 'date'>): EmrEntry => ({
  id: `unread:${no}:${date}` as EmrAppointmentId,
  providerId: providerId(no),
  key: null,
  date,
  start: '00:00',
  end: '24:00',
  state: 'unread',
});

/** In the terms of the port: an appointment that is not live is 'cancelled'. */
export const standing = (found: Appointment | 'cancelled' | null): EmrEntry | 'cancelled' | null =>
  found === null
    ? null
    : found === 'cancelled' || !isLive(found.status)
      ? 'cancelled'
      : entryOf(found);
