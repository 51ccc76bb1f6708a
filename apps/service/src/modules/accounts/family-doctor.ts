import type { CallInput } from '@clinic/contract';
import type { Platform } from '../../platform.ts';

type FamilyDoctorSaid = Omit<CallInput<'confirmInformation'>['body'], 'shouldUpdate'>;

/**
 * Whether the patient says that they have a family doctor; `hasFamilyDoc` comes first. Null when neither
 * field says so, undefined when `familyDoc` is neither a boolean nor one of the two configured ids.
 */
export function saidFamilyDoctor(
  { familyDoc = null, hasFamilyDoc }: FamilyDoctorSaid,
  { yes, no }: Platform['config']['familyDoctorIds'],
): boolean | null | undefined {
  const ids = new Map([
    [yes, true],
    [no, false],
  ]);
  const isPlain = familyDoc === null || typeof familyDoc === 'boolean';
  const said = isPlain ? familyDoc : ids.get(String(familyDoc));
  return said === undefined ? undefined : (hasFamilyDoc ?? said);
}
