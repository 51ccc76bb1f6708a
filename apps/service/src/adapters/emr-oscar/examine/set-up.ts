import {
  type Calls,
  type DayTemplate,
  type Oscar,
  type Provider,
  type TemplateCodeInfo,
  keysIn,
  pseudoProviders,
} from '@clinic/oscar';
import { addDays, toClinic } from '@clinic/domain';

import { rowsAround, seesPatients, sitesIn } from '../schedule.ts';
import { type Found, lookAt, right, wrong } from './finding.ts';

// What the clinic has said here, beside what OSCAR has.

export interface Known {
  readonly codes: readonly {
    readonly code: string;
    readonly types: readonly string[];
    /** Whether a person has said which types it serves. */
    readonly bound: boolean;
  }[];
  readonly types: readonly {
    readonly code: string;
    /** What our appointments of the type are called in OSCAR. */
    readonly name: string;
  }[];
  readonly doctors: readonly {
    readonly providerId: string;
    readonly hidden: boolean;
    readonly location: string | null;
  }[];
  /** Everybody whom we have as a provider. */
  readonly providers: readonly {
    readonly id: string;
    readonly lastName: string;
    readonly status: string;
  }[];
  /** Numbers by which a new chart says that the patient's doctor is elsewhere, or that there is none. */
  readonly familyDoctorIds: { readonly yes: string; readonly no: string };
  /** The provider of OSCAR who gets all ticklers; null where each doctor gets their own. */
  readonly ticklersTo: string | null;
  readonly now: number;
  /** A test patient of the clinic, for whom an appointment is written, cancelled and deleted. */
  readonly testPatient: string | null;
}

const DAYS = 7;

/** What the clinic has said of a doctor. */
export const policyOf = ({ doctors }: Known, no: string) =>
  doctors.find(({ providerId }) => providerId === no) ?? { hidden: false, location: null };

/** The doctors there, those shown here whom OSCAR lacks, and the two by whom a new chart says that there is none. */
export function checkProviders(
  all: readonly Provider[],
  numbers: readonly string[],
  known: Known,
): readonly Found[] {
  const people = all.filter(seesPatients);
  const others = all.filter((each) => !people.includes(each));
  const never = [
    ...others.map(({ no, type }) => `${no} (${type || 'no type'})`),
    ...pseudoProviders,
  ];
  const hidden = `never shown: ${never.join(', ')}`;
  const onlyHere = known.providers.filter(
    ({ id, status }) => status === '1' && !policyOf(known, id).hidden && !numbers.includes(id),
  );
  const lacking = Object.values(known.familyDoctorIds).filter((id) => !numbers.includes(id));
  return [
    people.length === 0
      ? wrong(
          `nobody is a doctor; ${hidden}`,
          'In OSCAR, Administration, Edit provider: set the type of each doctor to doctor',
        )
      : right(
          `doctors: ${people.map(({ no, lastName }) => `${no} ${lastName}`).join(', ')}; ${hidden}`,
        ),
    ...onlyHere.map(({ id, lastName }) =>
      wrong(
        `${id} ${lastName} is shown here, and OSCAR has no such provider`,
        "Hide them: Set-up, Tables, 'Show a doctor to patients'",
      ),
    ),
    ...lacking.map((id) =>
      wrong(
        `OSCAR has no provider ${id}, which a new chart names where the patient’s doctor is elsewhere, or there is none`,
        `Add a provider with the number ${id} there, or set FAMILY_DOCTOR_ID_YES and FAMILY_DOCTOR_ID_NO to those that it has`,
      ),
    ),
  ];
}

/** OSCAR takes a tickler to anybody, also to whom it lacks, and nobody sees it. */
export function checkTicklers(all: readonly Provider[], to: string | null) {
  if (to === null) return right('they go to the doctor of each appointment');
  const found = all.find(({ no }) => (no as string) === to);
  return found
    ? right(`they go to ${to} ${found.lastName}`)
    : wrong(
        `they go to ${to}, whom OSCAR lacks or calls inactive`,
        'Set EMR_TICKLERS_TO to the number of somebody who is active there',
      );
}

/** Of OSCAR's sites, and of each doctor who is shown: what is of no site stands on no day sheet there. */
export async function checkSites(oscar: Calls, people: readonly Provider[], known: Known) {
  const rows = await rowsAround(oscar, people, known.now);
  const found = sitesIn(rows);
  if (found === null) return [right('no row of staff tells of any')];
  if (found.length === 0) return [right('OSCAR has none')];
  const names = [...new Set(found.map(({ name }) => name))];
  const ofDoctors = people.flatMap(({ no, lastName }) => {
    const { hidden, location } = policyOf(known, no);
    if (hidden) return [];
    const who = `${no} ${lastName}`;
    const own = found.find(({ providerId }) => providerId === String(no));
    if (location === null)
      return wrong(
        `${who} has none here and is offered to nobody${own ? ` (most of their rows are of ${own.name})` : ''}`,
        "Say it: Set-up, Tables, 'Where a doctor works'",
      );
    return names.includes(location)
      ? right(`${who}: ${location}`)
      : lookAt(`${who}: ${location}, which no row of staff is of`);
  });
  const { date: today } = toClinic(known.now);
  const lost = rows
    .filter((each) => keysIn(each).length > 0 && each.location === '' && each.span.date >= today)
    .map(({ span, providerNo: no }) =>
      wrong(
        `what was booked online for ${span.date} ${span.start} with ${no} is of no site`,
        'Move it here, and move it back',
      ),
    );
  return [right(`OSCAR has ${names.join(', ')}`), ...ofDoctors, ...lost];
}

/** Each code in use, for the user who has just connected OSCAR. */
export async function codesInUse(
  { urgent }: Oscar,
  known: Known['codes'],
  now: number,
): Promise<readonly string[]> {
  const people = (await urgent.providers()).filter(seesPatients);
  const days = await week(urgent, people, toClinic(now).date);
  return checkCodes(days, await urgent.templateCodes(), known).map(({ says, cure }) =>
    cure === undefined ? says : `${says}. ${cure}.`,
  );
}

export async function week(oscar: Calls, people: readonly Provider[], from: string) {
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(from, day));
  const days = await Promise.all(
    people.flatMap(({ no }) => dates.map((date) => oscar.dayTemplate(no, date))),
  );
  return days.filter((day) => day !== null);
}

/** Each code in use with OSCAR's name for it, its times in a week, and what it serves here. */
export function checkCodes(
  days: readonly DayTemplate[],
  named: readonly TemplateCodeInfo[],
  known: Known['codes'],
) {
  const used = Map.groupBy(
    days.flatMap(({ steps }) => steps),
    ({ code }) => code,
  );
  return [...used].map(([code, { length }]) => {
    const { types = [], bound = false } = known.find((each) => each.code === code) ?? {};
    const name = named.find((each) => each.code === code)?.description;
    const says = `${code} ${name ?? 'without a name'}, ${length} a week:`;
    if (name === undefined)
      return wrong(
        `${says} OSCAR has no such code`,
        'Name it there: Administration, Template Code Setting',
      );
    if (bound) return right(`${says} ${types.join(' ') || 'none'}`);
    return lookAt(
      `${says} offered to nobody`,
      "Say what it serves: Set-up, Tables, 'What a slot code serves'",
    );
  });
}

/** What our appointments are called in OSCAR: the next save of its edit page empties a name that it lacks. */
export const checkTypes = (names: readonly string[], known: Known['types']) => [
  right(`OSCAR has ${names.join(', ') || 'none'}`),
  ...known.map(({ code, name }) =>
    names.includes(name)
      ? right(`${code} is ${name}`)
      : wrong(
          `${code} is ${name}, which OSCAR lacks, and staff's next save empties`,
          "Choose one: Set-up, Tables, 'What a type is called in the EMR'",
        ),
  ),
];

export function checkTemplates(
  days: readonly DayTemplate[],
  people: readonly Provider[],
  known: Known,
): readonly Found[] {
  const lengths = new Set(days.flatMap((day) => (day.steps.length > 0 ? day.stepMinutes : [])));
  const odd = [...lengths].filter((minutes) => minutes % 5 !== 0);
  const ofSteps =
    lengths.size === 0
      ? lookAt(`nobody works in the next ${DAYS} days`)
      : odd.length === 0
        ? right(`steps of ${[...lengths].join(' and ')} minutes`)
        : wrong(
            `steps of ${odd.join(' and ')} minutes: such a day is shown without work`,
            'Make the template of steps of 5, 10, 15 or more minutes',
          );
  const idle = people.flatMap(({ no, lastName }) => {
    const own = days.filter((day) => day.providerNo === no && !day.isHoliday);
    if (policyOf(known, no).hidden || own.some((day) => day.steps.length > 0)) return [];
    const who = `${no} ${lastName}`;
    return own.length === 0
      ? lookAt(`${who} has no schedule in the next ${DAYS} days`)
      : wrong(
          `${who} has a schedule in the next ${DAYS} days, and a template without any time`,
          'In OSCAR, Administration, Schedule: give the template its codes and save it, then apply it again',
        );
  });
  return [ofSteps, ...idle];
}
