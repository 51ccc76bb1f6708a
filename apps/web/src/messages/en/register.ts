/** Words of sign-up and of the page that confirms an email address. */
export const register = {
  'register.title': 'Sign Up',
  'register.intro':
    'Each account is for one person. Each child needs their own account and health card.',
  'register.haveAccount': 'Already have an account?',
  'register.logIn': 'Log in',
  'register.you': 'About you',
  'register.youHint': 'Enter your name exactly as it appears on your health card.',
  'register.genderMale': 'Male',
  'register.genderFemale': 'Female',
  'register.genderOther': 'Other',
  'register.birthDateHint': 'As on your health card.',
  'register.place': 'Where you live',
  'register.postalHint': 'For example V5K 0A1.',
  'register.reach': 'How to reach you',
  'register.reachHint': 'Please enter at least one phone number.',
  'register.internationalHint':
    'For a number outside Canada and the United States: with + and the country code, such as +44 20 7946 0958.',
  'register.logInWith': 'How you will log in',
  'register.emailHint': "We'll send a link to this address to confirm it.",
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
    'I am the parent, guardian or other authorized representative of this person, and I agree to it on their behalf.',
  'register.minor':
    'This person is under {age}. A parent, guardian or other authorized representative must consent.',
  'register.submit': 'Sign Up',
  'register.submitting': 'Signing up…',
  'register.refused': 'Registration failed, Please check your input and try again.',
  'register.left':
    'Your registration may not have arrived: {why} What you typed is still in the form.',
  'register.unknown': 'Unknown error occurred, please contact support team.',

  'register.ageTitle': 'Please check the date of birth',
  'register.age': '{age, plural, =0 {Less than one year old} one {# year old} other {# years old}}',
  'register.ageHint':
    'We use your date of birth to find your record. If it is wrong, you may be charged a fee.',
  'register.ageConfirm': 'Confirm',
  'register.ageCancel': 'Cancel',

  'register.doneTitle': 'Please confirm your email',
  'register.done':
    "We've sent an email to {email}. Please follow the link in it to confirm your email address. The link is valid for 6 hours.",
  'register.doneNext':
    'It asks for the password you chose here. After that you can log in and book.',
  'register.doneNothing':
    'Nothing after a few minutes? Check your junk folder, or have the link sent again.',

  'register.confirmTitle': 'Confirm your email',
  'register.confirmIntro':
    'One more step: please confirm that this email address is yours and that you filled in the sign-up form.',
  'register.confirmPassword': 'Password',
  'register.confirmPasswordHint': 'The password you chose when you signed up.',
  'register.confirmPasswordMissing': 'Please enter the password.',
  'register.notALink':
    'This address is not the whole link from our email: a mail program may have changed or cut it. Please copy the link from the email and paste it below.',
  'register.confirm': 'Confirm my email address',
  'register.confirming': 'Confirming…',
  'register.confirmed': 'Your email address is confirmed. You can log in now.',
  'register.linkTitle': 'A link from the clinic',
  'register.linkEmail':
    'The clinic noted {email} for your account. Please confirm it: enter your birth date.',
  'register.linkAccount':
    'You will log in with {email}. Please say who you are, and choose a password.',
  'register.linkCard': 'Health card number',
  'register.linkCardHint': 'As it stands on your card. After five wrong attempts the link ends.',
  'register.linkPassword': 'Choose a password',
  'register.linkOpenAccount': 'Open my account',
  'register.linkOpening': 'Please wait…',
  'register.linkEmailDone':
    'Your new email address is confirmed. Please log in with it; your password is the same.',
  'register.linkEmailWaits':
    'Your new email address is confirmed. To protect your account it counts from {when} on; until then you log in with the old one. If you need it sooner, call the clinic, or confirm it from your old mailbox.',
  'register.changeTitle': 'Another email address',
  'register.changeAbout':
    'The clinic was asked to write to another email address for an account that has, or had, the address of this mailbox. Did you ask for that?',
  'register.changeStop': 'No, stop it',
  'register.changeConfirm': 'Yes, I asked for it',
  'register.changeStopped':
    'Stopped. Nothing about the email address changes until you have called the clinic, or come in with a photo ID.',
  'register.changeConfirmed':
    'Thank you. The other address counts as soon as the link that we mailed there is opened.',
  'register.changeUnknown':
    'We could not reach the clinic. Your answer may have arrived: please try again to find out.',
  'register.linkAccountDone':
    'Your account is open. Please log in: the first page asks for your address and phone number.',
  'register.linkFailed': "We couldn't open this link. Please try again.",
  'register.linkUnknown':
    'We could not reach the clinic. This link may have been used: please try again to find out.',
  'register.confirmFailed': "We couldn't confirm your email address. Please try again.",
  'register.confirmUnknown':
    'We could not reach the clinic. Your email address may be confirmed: please try again to find out.',
} as const;
