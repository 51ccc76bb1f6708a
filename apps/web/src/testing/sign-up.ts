import type { SignUp } from '../features/sign-up/sign-up-draft.ts';

/** A filled sign-up form with nothing wrong in it. */
export const filledSignUp: SignUp = {
  firstName: 'Anne-Marie',
  lastName: "O'Brien",
  gender: 'Female',
  birthDate: { day: 17, month: 5, year: 1984 },
  address: '12 Main St. #4',
  city: 'Vancouver',
  province: 'BC',
  postal: 'V5K 0A1',
  country: 'Canada',
  mobilePhone: ['604', '555', '0123'],
  phone: ['', '', ''],
  internationalPhone: '',
  email: 'anne@example.ca',
  emailConfirm: 'anne@example.ca',
  password: 'a long sentence',
  passwordConfirm: 'a long sentence',
  healthCardProvince: 'BC',
  healthCardNumber: '9876543218',
  healthCardNumberConfirm: '9876543218',
  preferredPharmacy: null,
  consent: true,
};
