export interface FamilyDoctorSaid {
  readonly familyDoc?: boolean | string | number | null | undefined;
  readonly hasFamilyDoc?: boolean | null | undefined;
}

interface FamilyDoctorIds {
  readonly yes: string;
  readonly no: string;
}

/** Whether `familyDoc` is left out, a yes or no, or one of the two configured ids (§9). */
export function isFamilyDoctorAnswer(
  familyDoc: FamilyDoctorSaid['familyDoc'],
  ids: FamilyDoctorIds,
): boolean {
  if (familyDoc === null || familyDoc === undefined || typeof familyDoc === 'boolean') return true;
  return [ids.yes, ids.no].includes(String(familyDoc));
}

/** What the patient said of a family doctor, in either field and as a word or an id. */
export function saidFamilyDoctor(
  { familyDoc, hasFamilyDoc }: FamilyDoctorSaid,
  ids: FamilyDoctorIds,
): boolean | null {
  if (typeof hasFamilyDoc === 'boolean') return hasFamilyDoc;
  if (typeof familyDoc === 'boolean') return familyDoc;
  if (familyDoc === null || familyDoc === undefined) return null;
  if (String(familyDoc) === ids.yes) return true;
  return String(familyDoc) === ids.no ? false : null;
}
