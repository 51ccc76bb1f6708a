import { type ClinicDate, calendarDate } from '../clinic-time.ts';
import { trimmedLength } from '../plain-text.ts';

/** How the patient wants to be seen. */
export const CONTACT_PREFERENCES = ['IN-PERSON', 'PHONE'] as const;
export type ContactPreference = (typeof CONTACT_PREFERENCES)[number];

/** What the patient experiences, by stable keys. */
export const EXPERIENCING = [
  'notAbsent',
  'modifiedDuties',
  'missingWork',
  'missingTraining',
  'missingStudies',
] as const;
export type Experiencing = (typeof EXPERIENCING)[number];

/** Treatments by stable keys, in the order of §2; 'other' carries a text. */
export const TREATMENTS = [
  'none',
  'physiotherapy',
  'massageTherapy',
  'activeRehabilitation',
  'kinesiology',
  'chiropractic',
  'acupuncture',
  'psychology',
  'counselling',
  'other',
] as const;
export type TreatmentKey = (typeof TREATMENTS)[number];
export type Treatment =
  Exclude<TreatmentKey, 'other'> | { readonly key: 'other'; readonly text: string };

/** The answer that stands for no medication. */
export const NO_MEDICATION = 'No';

/** The injury-claim questions of type I as answered so far. */
export interface CrashReport {
  readonly crashYear: number | null;
  /** 1 to 12. */
  readonly crashMonth: number | null;
  readonly crashDay: number | null;
  readonly contactPreference: ContactPreference | null;
  readonly symptom: string;
  readonly experiencingList: readonly Experiencing[];
  readonly treatmentList: readonly Treatment[];
  /** 'No', or what is taken; null while unanswered. */
  readonly medicationTaken: string | null;
}

export type CrashReportRefusal =
  | { readonly field: 'crashDate'; readonly code: 'invalid' }
  | { readonly field: 'contactPreference'; readonly code: 'missing' }
  | { readonly field: 'symptom'; readonly code: 'tooShort' | 'tooLong' }
  | { readonly field: 'experiencingList' | 'treatmentList'; readonly code: 'missing' }
  | { readonly field: 'otherTreatment'; readonly code: 'tooShort' | 'tooLong' }
  | { readonly field: 'medicationTaken'; readonly code: 'missing' | 'tooShort' | 'tooLong' };

/** Lengths in code points, both inclusive. */
export const SYMPTOM_LENGTH = { minimum: 3, maximum: 300 } as const;
export const OTHER_TREATMENT_LENGTH = { minimum: 3, maximum: 50 } as const;
export const MEDICATION_LENGTH = { minimum: 3, maximum: 200 } as const;

function lengthRefusal(
  text: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): 'tooShort' | 'tooLong' | null {
  const length = trimmedLength(text);
  if (length < minimum) return 'tooShort';
  return length > maximum ? 'tooLong' : null;
}

/** No crash that anybody can appointment for is older: an earlier year is a slip of the keys. */
const EARLIEST_YEAR = 1900;

/** The date of the crash, or null when it is incomplete or no date of the calendar. */
export function crashDate(
  report: Pick<CrashReport, 'crashYear' | 'crashMonth' | 'crashDay'>,
): ClinicDate | null {
  const { crashYear, crashMonth, crashDay } = report;
  if (crashYear === null || crashMonth === null || crashDay === null) return null;
  if (crashYear < EARLIEST_YEAR) return null;
  return calendarDate(crashYear, crashMonth, crashDay);
}

/**
 * Everything that is wrong with a crash report, in the order of the form.
 * `today` is the clinic's date: a crash may have happened on it, not after it..
 */
export function whyCrashReportRefused(
  report: CrashReport,
  today: ClinicDate,
): CrashReportRefusal[] {
  const refusals: CrashReportRefusal[] = [];
  const date = crashDate(report);
  if (date === null || date > today) refusals.push({ field: 'crashDate', code: 'invalid' });
  if (report.contactPreference === null)
    refusals.push({ field: 'contactPreference', code: 'missing' });
  const symptom = lengthRefusal(report.symptom, SYMPTOM_LENGTH);
  if (symptom) refusals.push({ field: 'symptom', code: symptom });
  if (report.experiencingList.length === 0)
    refusals.push({ field: 'experiencingList', code: 'missing' });
  if (report.treatmentList.length === 0) refusals.push({ field: 'treatmentList', code: 'missing' });
  for (const treatment of report.treatmentList) {
    if (typeof treatment === 'string') continue;
    const other = lengthRefusal(treatment.text, OTHER_TREATMENT_LENGTH);
    if (other) refusals.push({ field: 'otherTreatment', code: other });
  }
  const medication = medicationRefusal(report.medicationTaken);
  if (medication) refusals.push({ field: 'medicationTaken', code: medication });
  return refusals;
}

function medicationRefusal(taken: string | null): 'missing' | 'tooShort' | 'tooLong' | null {
  if (taken === null) return 'missing';
  return taken === NO_MEDICATION ? null : lengthRefusal(taken, MEDICATION_LENGTH);
}

const ABSENCES: readonly Experiencing[] = ['missingWork', 'missingTraining', 'missingStudies'];

/** Ticks or unticks an item; 'not absent' and the three absences clear each other.. */
export function toggleExperiencing(
  list: readonly Experiencing[],
  item: Experiencing,
): Experiencing[] {
  if (list.includes(item)) return list.filter((other) => other !== item);
  const cleared = ABSENCES.includes(item) ? ['notAbsent'] : item === 'notAbsent' ? ABSENCES : [];
  return [...list.filter((other) => !cleared.includes(other)), item];
}

const keyOf = (treatment: Treatment): TreatmentKey =>
  typeof treatment === 'string' ? treatment : treatment.key;

/** Ticks or unticks a treatment; 'no treatment' and all others clear each other.. */
export function toggleTreatment(list: readonly Treatment[], key: TreatmentKey): Treatment[] {
  const rest = list.filter((treatment) => keyOf(treatment) !== key);
  if (rest.length < list.length) return rest;
  if (key === 'none') return ['none'];
  return [
    ...rest.filter((treatment) => treatment !== 'none'),
    key === 'other' ? { key, text: '' } : key,
  ];
}
