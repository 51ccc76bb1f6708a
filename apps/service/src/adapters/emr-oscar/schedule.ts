import { createHash } from 'node:crypto';

import {
  type Appointment,
  type AppointmentNo,
  type DayTemplate,
  type Oscar,
  type ProviderNo,
  firstWritten,
  isLive,
  keysIn,
  stateOf,
} from '@clinic/oscar';
import { NOT_WORKING, STEPS_PER_DAY, addDays, datesOf, stepOfTime, toClinic } from '@clinic/domain';

import type {
  Emr,
  EmrAppointmentId,
  EmrChanges,
  EmrDates,
  EmrDay,
  EmrEntry,
  ProviderId,
} from '../../modules/records/emr.ts';
import type { AskOscar } from './asking.ts';

const STEP_MINUTES = 5;
/** Each provider and day takes a call: more at once would delay patients and the rest of the sync's turn. */
const TEMPLATES_AT_ONCE = 60;
/** How many days are compared with their last state when OSCAR cannot say what changed. */
const COMPARED_DAYS = 14;

/** The reads of the sync. */
export function scheduleOf(ask: AskOscar, now: () => number) {
  const active = (oscar: Oscar) => oscar.providers();

  async function entriesBetween(
    oscar: Oscar,
    dates: EmrDates,
    of?: readonly ProviderId[],
  ): Promise<EmrEntry[]> {
    const all = (await active(oscar))
      .map(({ no }) => no)
      .filter((no) => of === undefined || of.includes(providerId(no)));
    // OSCAR's list without ends fails for provider numbers that are not all digits.
    const byList = oscar.capabilities.ends === 'perAppointment';
    const providers = byList ? all.filter((no) => /^\d+$/.test(no)) : all;
    const found = await oscar.appointments({ providers, ...dates });
    const byKey = Map.groupBy(found, keyOf);
    return found.map((each) => {
      const entry = entryOf(each);
      return firstWritten(byKey.get(entry.key) ?? []) === each ? entry : { ...entry, key: null };
    });
  }

  return {
    providers: () =>
      ask(async (oscar) => {
        const all = [...(await active(oscar)), ...(await oscar.formerProviders())];
        return all.map(({ no, firstName, lastName, active: isActive }) => ({
          id: providerId(no),
          firstName,
          lastName,
          status: isActive ? '1' : '0',
        }));
      }),

    /** When the clinic has a code twice, the first one counts. */
    slotCodes: () =>
      ask(async (oscar) => {
        const codes = new Map<string, Awaited<ReturnType<Oscar['templateCodes']>>[number]>();
        for (const each of await oscar.templateCodes())
          if (!codes.has(each.code)) codes.set(each.code, each);
        return [...codes.values()].map(({ code, description, minutes }) => ({
          code,
          description,
          minutes: minutes !== null && minutes > 0 && minutes % STEP_MINUTES === 0 ? minutes : null,
        }));
      }),

    dayTemplates: ({ from, to }: EmrDates) =>
      ask(async (oscar) => {
        if (oscar.capabilities.templates === 'ours') return null;
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

    entries: (dates: EmrDates, of?: readonly ProviderId[]) =>
      ask((oscar) => entriesBetween(oscar, dates, of)),

    changedSince: (cursor: string | null) =>
      ask(async (oscar) => {
        const last = cursorOf(cursor);
        if (!oscar.capabilities.changes) {
          const from = toClinic(now()).date;
          const dates = { from, to: addDays(from, COMPARED_DAYS - 1) };
          const entries = await entriesBetween(oscar, dates);
          return changesIn(
            entries.map((entry) => ({ entry, words: wordsOf(entry) })),
            last,
            'compared',
          );
        }
        const changes = await oscar.changedSince(last.at);
        const found = (changes?.appointments ?? []).map((each) => {
          const entry = entryOf(each);
          return { entry, words: `${wordsOf(entry)} ${each.status}` };
        });
        return changesIn(found, last, changes?.cursor ?? null);
      }),
  } satisfies Partial<Emr>;
}

interface Cursor {
  /** The time by OSCAR's clock, or 'compared' when OSCAR cannot say what changed; null before that. */
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
function changesIn(found: readonly Found[], last: Cursor, at: string | null): EmrChanges {
  const byDay = Map.groupBy(found, ({ entry }) => `${entry.date} ${entry.providerId}`);
  const seen = Object.fromEntries(
    [...byDay].map(([day, each]) => [day, digest(each.map(({ words }) => words))]),
  );
  const cursor = JSON.stringify({ at, seen });
  if (last.at === null) return { cursor, days: [], entries: [], keys: [] };
  const all = new Set([...Object.keys(seen), ...(at === 'compared' ? Object.keys(last.seen) : [])]);
  const changed = [...all].filter((day) => seen[day] !== last.seen[day]).sort();
  const days = changed.flatMap((day) => {
    const [date = '', provider] = day.split(' ');
    // An earlier version of the service kept only the date.
    return provider === undefined ? [] : [{ date, providerId: provider as ProviderId }];
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

/** Empty when the day's steps are no multiple of ours and so cannot be shown: a day without work. */
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

/** Our key in the notes. Staff write text in brackets too, before our key or after it. */
const keyOf = (appointment: Appointment) => {
  const keys = keysIn(appointment);
  return keys.find((key) => /^[a-z]+:[0-9a-f-]{36}$/.test(key)) ?? keys[0] ?? null;
};

/**
 * A billed appointment counts as arrived, one with a status of the clinic's own as booked. The reason and
 * notes that staff wrote are left out.
 */
export function entryOf(appointment: Appointment): EmrEntry {
  const { no, span, status } = appointment;
  const state = stateOf(status);
  return {
    id: entryId(no),
    providerId: providerId(appointment.providerNo),
    key: keyOf(appointment),
    ...span,
    state:
      state === 'noShow' ? state : state === 'arrived' || state === 'billed' ? 'arrived' : 'booked',
  };
}

/** In the terms of the port: an appointment that is not live is 'cancelled'. */
export const standing = (found: Appointment | 'cancelled' | null): EmrEntry | 'cancelled' | null =>
  found === null
    ? null
    : found === 'cancelled' || !isLive(found.status)
      ? 'cancelled'
      : entryOf(found);
