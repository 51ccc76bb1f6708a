import { EXPERIENCING, NO_MEDICATION, TREATMENTS } from '@clinic/domain';
import type { CrashReport, Experiencing, Treatment } from '@clinic/domain';
import type { ApiAnswers } from '@clinic/contract';

/**
 * The injury-claim questions as the form holds them. Yes or No to medication stands apart from its
 * text, so that neither is lost to the other while the patient types.
 */
export interface CrashAnswers extends Omit<CrashReport, 'medicationTaken'> {
  readonly takesMedication: boolean | null;
  readonly medication: string;
}

export const NO_CRASH_ANSWERS: CrashAnswers = {
  crashYear: null,
  crashMonth: null,
  crashDay: null,
  contactPreference: null,
  symptom: '',
  experiencingList: [],
  treatmentList: [],
  takesMedication: null,
  medication: '',
};

/** As the rules of the domain read them. */
export function crashReportOf({ takesMedication, medication, ...rest }: CrashAnswers): CrashReport {
  return { ...rest, medicationTaken: medicationOf(takesMedication, medication) };
}

function medicationOf(takes: boolean | null, text: string): string | null {
  if (takes === null) return null;
  if (!takes) return NO_MEDICATION;
  // A text that begins with these two letters is on its way to something else.
  return text === NO_MEDICATION ? `${text} ` : text;
}

type ApiCrash = Omit<ApiAnswers, 'reason'>;

/** As they are sent and kept. */
export function crashToApi(answers: CrashAnswers): ApiCrash {
  const { experiencingList, treatmentList, ...rest } = crashReportOf(answers);
  return { ...rest, experiencingList: [...experiencingList], treatmentList: [...treatmentList] };
}

/** Back from a draft that the service kept. */
export function crashFromApi(kept: ApiCrash): CrashAnswers {
  const { medicationTaken = null } = kept;
  const takesMedication = medicationTaken === null ? null : medicationTaken !== NO_MEDICATION;
  return {
    crashYear: kept.crashYear ?? null,
    crashMonth: kept.crashMonth ?? null,
    crashDay: kept.crashDay ?? null,
    contactPreference: kept.contactPreference ?? null,
    symptom: kept.symptom ?? '',
    experiencingList: (kept.experiencingList ?? []).filter(isExperiencing),
    treatmentList: (kept.treatmentList ?? []).filter(isTreatment),
    takesMedication,
    medication: takesMedication === true ? (medicationTaken ?? '') : '',
  };
}

const isExperiencing = (key: string): key is Experiencing =>
  (EXPERIENCING as readonly string[]).includes(key);
const isTreatment = (item: string | { key: 'other'; text: string }): item is Treatment =>
  typeof item !== 'string' ||
  (item !== 'other' && (TREATMENTS as readonly string[]).includes(item));
