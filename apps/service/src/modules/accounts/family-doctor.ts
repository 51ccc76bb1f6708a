import type { CallInput } from '@clinic/contract';
import type { Platform } from '../../platform.ts';

type FamilyDoctorFields = Omit<CallInput<'confirmInformation'>['body'], 'shouldUpdate'>;

/**
 * Whether the patient says that they have a family doctor; `hasFamilyDoc` comes first. Null when neither
 * field says so, undefined when `familyDoc` is neither a boolean nor one of the two configured ids.
 */
export function readFamilyDoctor(
  { familyDoc = null, hasFamilyDoc }: FamilyDoctorFields,
  { yes, no }: Platform['config']['familyDoctorIds'],
): boolean | null | undefined {
  const ids = new Map([
    [yes, true],
    [no, false],
  ]);
  const isPlain = familyDoc === null || typeof familyDoc === 'boolean';
  const named = isPlain ? familyDoc : ids.get(String(familyDoc));
  return named === undefined ? undefined : (hasFamilyDoc ?? named);
}
