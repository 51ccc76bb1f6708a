import type { RegistrationField } from '@clinic/domain';
import type { FormErrors } from '../../shared/forms/form-errors.ts';
import type { SignUp } from './sign-up-draft.ts';

/** What each group of the form is given. */
export interface SignUpGroup {
  readonly typed: SignUp;
  readonly errors: FormErrors<RegistrationField>;
  /** Takes the changed form; the marks of the fields that it mends go. */
  readonly change: (next: SignUp, ...mended: readonly RegistrationField[]) => void;
}

/** The fields from the top of the form to its end: the order of the summary. */
export const FORM_ORDER: readonly RegistrationField[] = [
  'firstName',
  'lastName',
  'gender',
  'birthDate',
  'country',
  'address',
  'city',
  'province',
  'postal',
  'phones',
  'mobilePhone',
  'phone',
  'internationalPhone',
  'email',
  'emailConfirm',
  'password',
  'passwordConfirm',
  'healthCardProvince',
  'healthCardNumber',
  'healthCardNumberConfirm',
  'consent',
  'recaptcha',
];

type PlainText = {
  [Name in RegistrationField & keyof SignUp]: SignUp[Name] extends string ? Name : never;
}[RegistrationField & keyof SignUp];

/** The wiring that every plain text of the form has alike. */
export function plainText({ typed, errors, change }: SignUpGroup, name: PlainText) {
  return {
    id: errors.idOf(name),
    name,
    value: typed[name],
    error: errors.errorOf(name),
    onChange: (value: string) => change({ ...typed, [name]: value }, name),
  };
}
