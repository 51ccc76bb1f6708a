import type { CallInput } from '@clinic/contract';
import { profileText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import { type ProfileForm, calendarDate, digitsOf, whyProfileRefused } from '@clinic/domain';
import type { ServiceConfig } from '../../server/config.ts';
import type { Platform } from '../../platform.ts';
import type { FieldProblem } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.ts';
import { isFamilyDoctorAnswer, saidFamilyDoctor } from './family-doctor.ts';
import type { PatientRow } from './patients.store.ts';
import { type ProfileChange, changeProfile } from './profile.store.ts';

type ProfileBody = CallInput<'updateMe'>['body'];

/** The body as the form that the rules know: `mobile` is the mobile phone. */
export function profileForm(body: ProfileBody): ProfileForm {
  return {
    address: body.address.trim(),
    city: body.city.trim(),
    province: body.province,
    postal: body.postal.trim().toUpperCase(),
    country: body.country.trim(),
    sex: body.sex,
    phone: body.phone?.trim() ?? '',
    mobilePhone: body.mobile?.trim() ?? '',
    internationalPhone: body.internationalPhone?.trim() ?? '',
  };
}

/** §5 Account edit, field by field as the API names them. */
export function profileProblems(
  row: PatientRow,
  form: ProfileForm,
  { familyDoc }: ProfileBody,
  { familyDoctorIds }: Pick<ServiceConfig, 'familyDoctorIds'>,
): FieldProblem[] {
  const problems = whyProfileRefused(form, row).map((problem) => ({
    field: API_NAMES[problem.field] ?? problem.field,
    message: profileText(problem),
  }));
  return isFamilyDoctorAnswer(familyDoc, familyDoctorIds)
    ? problems
    : [...problems, { field: 'familyDoc', message: text('familyDoctorUnclear') }];
}

const API_NAMES: Readonly<Record<string, string>> = { mobilePhone: 'mobile', phones: 'mobile' };

/**
 * What a saved form changes; a successful Update clears `shouldUpdate`. What it does not say is
 * not written, so that nothing chosen elsewhere meanwhile is undone.
 */
export function profileChange(
  row: PatientRow,
  form: ProfileForm,
  body: ProfileBody,
  { familyDoctorIds }: Pick<ServiceConfig, 'familyDoctorIds'>,
): ProfileChange {
  const { preferredPharmacy } = body;
  const familyDoctor = saidFamilyDoctor(body, familyDoctorIds);
  const wanted: ProfileChange = {
    ...form,
    phone: digitsOf(form.phone),
    mobilePhone: digitsOf(form.mobilePhone),
    // '' or null takes it away.
    ...(preferredPharmacy === undefined ? {} : { preferredPharmacyId: preferredPharmacy || null }),
    ...(familyDoctor === null ? {} : { familyDoctor }),
  };
  const differs = keysOf(wanted).some((key) => wanted[key] !== row[key]);
  return { ...wanted, shouldUpdate: false, ...(differs ? { isChanged: true } : {}) };
}

const keysOf = <T extends object>(value: T): (keyof T)[] => Object.keys(value) as (keyof T)[];

/** What the client sent and may not decide, where it differs. */
export function ignoredOf(row: PatientRow, body: ProfileBody): string[] {
  const { firstName, lastName, birthYear, birthMonth, birthDay } = body;
  const saysDate = [birthYear, birthMonth, birthDay].some((part) => typeof part === 'number');
  const differs = (said: string | null | undefined, kept: string) =>
    typeof said === 'string' && said !== kept;
  const date = calendarDate(birthYear ?? 0, birthMonth ?? 0, birthDay ?? 0);
  return [
    ...(differs(firstName, row.firstName) ? ['firstName'] : []),
    ...(differs(lastName, row.lastName) ? ['lastName'] : []),
    ...(saysDate && date !== row.birthDate ? ['birthDate'] : []),
  ];
}

/** Which fields changed stands in the trail, not what they say (S-14). */
export async function saveProfile(
  ports: Pick<Platform, 'database' | 'appendAudit'>,
  id: PatientId,
  row: PatientRow,
  change: ProfileChange,
  { ignored, now }: { readonly ignored: readonly string[]; readonly now: number },
): Promise<void> {
  const changed = keysOf(change).filter((key) => change[key] !== row[key]);
  const subject = `patient:${id}`;
  await ports.database.inTransaction(async (tx) => {
    await changeProfile(tx, id, change);
    await ports.appendAudit(tx, {
      actor: subject,
      action: 'profile changed',
      subject,
      details: { changed, ...(ignored.length === 0 ? {} : { ignored }) },
      at: now,
    });
  });
}
