export interface FamilyDoctorSaid {
  readonly familyDoc?: boolean | string | number | null | undefined;
  readonly hasFamilyDoc?: boolean | null | undefined;
}

/** What the patient said of a family doctor, in either field and as a word or an id. */
export function saidFamilyDoctor(
  { familyDoc, hasFamilyDoc }: FamilyDoctorSaid,
  ids: { readonly yes: string; readonly no: string },
): boolean | null {
  if (typeof hasFamilyDoc === 'boolean') return hasFamilyDoc;
  if (typeof familyDoc === 'boolean') return familyDoc;
  if (familyDoc === null || familyDoc === undefined) return null;
  if (String(familyDoc) === ids.yes) return true;
  return String(familyDoc) === ids.no ? false : null;
}
