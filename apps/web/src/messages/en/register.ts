/** Words of sign-up and of the page that confirms an email address. */
export const register = {
  'register.title': 'Sign Up',
  'register.intro':
    'One account is for one person. A child needs their own account, with their own health card.',
  'register.haveAccount': 'You have an account already?',
  'register.logIn': 'Log in',
  'register.you': 'About you',
  'register.youHint': 'Please write the names as they stand on the health card.',
  'register.genderMale': 'Male',
  'register.genderFemale': 'Female',
  'register.genderOther': 'Other',
  'register.birthDateHint': 'As on the health card.',
  'register.place': 'Where you live',
  'register.postalHint': 'For example V5K 0A1.',
  'register.reach': 'How to reach you',
  'register.reachHint': 'Please give at least one phone number.',
  'register.internationalHint':
    'For a number outside Canada: digits only, with the code of the country.',
  'register.logInWith': 'How you will log in',
  'register.emailHint': 'We send a link to this address to confirm it.',
  'register.confirmField': 'Confirm {field}',
  'register.passwordHint': '8 characters or more. A sentence of a few words is easy to remember.',
  'register.card': 'Health card',
  'register.cardAbroad': 'Only people who live in Canada are asked for a health card.',
  'register.cardHint': 'Digits only.',
  'register.cardHintLetters': 'Letters and digits.',
  'register.cardHintOntario': 'The ten digits, without the two letters at the end.',
  'register.pharmacyTitle': 'Pharmacy',
  'register.pharmacy': 'Preferred Pharmacy',
  'register.agree': 'Your consent',
  'register.draft': "Draft for the clinic's counsel. Version {version}.",
  'register.consent': 'I have read this and agree to it.',
  'register.consentMinor':
    'I am the parent, guardian or other authorised representative of this person, and I agree to it on their behalf.',
  'register.minor':
    'This person is under {age}. A parent, guardian or other authorised representative must consent.',
  'register.submit': 'Sign Up',
  'register.submitting': 'Signing up…',
  'register.refused': 'Registration failed, Please check your input and try again.',
  'register.unknown': 'Unknown error occurred, please contact support team.',

  'register.ageTitle': 'Please check the date of birth',
  'register.ageDate': '{month} {day}, {year}',
  'register.age': '{age, plural, =0 {Less than one year old} one {# year old} other {# years old}}',
  'register.ageHint':
    'The clinic knows a patient by the date of birth. With a wrong one a visit can cost a fee.',
  'register.ageConfirm': 'Confirm',
  'register.ageCancel': 'Cancel',

  'register.doneTitle': 'Please confirm your e-mail',
  'register.done':
    'We have sent a message to {email}. Please follow the link in it to confirm your e-mail address. The link is valid for 6 hours.',
  'register.doneNext':
    'It asks for the password that you chose here. After that you can log in and book.',
  'register.doneNothing':
    'Nothing there after a few minutes? Please look in the folder for junk mail, or have the link sent again.',

  'register.confirmTitle': 'Confirm your e-mail',
  'register.confirmIntro':
    'One more step: please confirm that this e-mail address is yours and that you filled in the sign-up form.',
  'register.confirmPassword': 'Password',
  'register.confirmPasswordHint': 'The password that you chose when you signed up.',
  'register.confirmPasswordMissing': 'Please enter the password.',
  'register.confirmIntroNone': 'Please follow the link in the message that we sent you.',
  'register.confirm': 'Confirm my e-mail address',
  'register.confirming': 'Confirming…',
  'register.confirmed': 'Your e-mail address is confirmed. You can log in now.',
  'register.confirmFailed': 'We could not confirm your e-mail address. Please try again.',
} as const;
