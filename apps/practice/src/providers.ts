import { addDays, STEPS_PER_DAY, NOT_WORKING, stepOfTime, dayTemplate } from '@clinic/domain';
import type { ClinicDate, SlotCode } from '@clinic/domain';

interface Provider {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status?: string;
  readonly policy?: {
    readonly disabled?: boolean;
    readonly comment?: string;
    readonly hidden?: boolean;
    readonly familyOnly?: boolean;
    readonly noPcp?: boolean;
  };
}

const PROVIDERS: readonly Provider[] = [
  { id: '101', firstName: 'Amelia', lastName: 'Stone' },
  { id: '102', firstName: 'Rahul', lastName: 'Mehta' },
  { id: '103', firstName: 'Grace', lastName: 'Liu', policy: { familyOnly: true } },
  { id: '104', firstName: 'Owen', lastName: 'Price', policy: { noPcp: true } },
  {
    id: '105',
    firstName: 'Hana',
    lastName: 'Kim',
    policy: { disabled: true, comment: 'Your assigned provider is not active' },
  },
  { id: '106', firstName: 'Jordan NP', lastName: 'Avery' },
  { id: '107', firstName: 'Peter', lastName: 'Novak', policy: { hidden: true } },
  {
    id: '108',
    firstName: 'Lucia',
    lastName: 'Romero',
    policy: { comment: 'Away in the afternoons' },
  },
  { id: '109', firstName: 'Tom', lastName: 'Baker', status: '0' },
];

/** Who has nothing at first, and for how many days from the first start on. */
const NOTHING_AT_FIRST = { id: '102', days: 8 };
/** From this day after the first start on the third hour is 'any' in place of driver medicals. */
const ANY_FROM_DAY = 20;

const HOURS = ['08', '09', '10', '11', '13', '14', '15', '16', '17'] as const;
const WEDNESDAY = 3;
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

export const providerRows = () =>
  PROVIDERS.map(({ id, firstName, lastName, status = '1' }) => ({
    id,
    firstName,
    lastName,
    status,
  }));

export const policyRows = () => PROVIDERS.map(({ id, policy }) => ({ providerId: id, ...policy }));

/** The same every day of the week, but for the immigration exams of 101 on Wednesday mornings. */
export const templateRows = (today: ClinicDate) =>
  PROVIDERS.flatMap(({ id }) =>
    WEEKDAYS.flatMap((weekday) => [
      { providerId: id, weekday, validFrom: today, codes: codesFor(id, weekday, 'D') },
      {
        providerId: id,
        weekday,
        validFrom: addDays(today, ANY_FROM_DAY),
        codes: codesFor(id, weekday, 'A'),
      },
    ]),
  );

export const exceptionRows = (today: ClinicDate) =>
  Array.from({ length: NOTHING_AT_FIRST.days + 1 }, (_, ahead) => ({
    providerId: NOTHING_AT_FIRST.id,
    clinicDate: addDays(today, ahead),
    codes: NOT_WORKING.repeat(STEPS_PER_DAY),
  }));

function codesFor(id: string, weekday: number, third: 'D' | 'A'): string {
  if (id === '106') return hours(HOURS.map((_, hour) => (hour % 2 === 0 ? 'O' : 'P')));
  const day: SlotCode[] = ['O', 'P', third, 'O', 'V', 'P', 'I', 'D', 'PP'];
  if (id === '101' && weekday === WEDNESDAY) day.splice(0, 2, 'M', 'M');
  return hours(id === '108' ? day.slice(0, 4) : day);
}

function hours(codes: readonly SlotCode[]): string {
  return dayTemplate(
    codes.map((code, hour) => {
      const from = stepOfTime(`${HOURS[hour]}:00`);
      return { code, from, to: from + 12 };
    }),
  );
}
