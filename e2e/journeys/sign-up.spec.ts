import { expect, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Login } from '../src/pages/login.ts';
import { confirmLinkIn, expectMail } from '../src/pages/mailbox.ts';
import { type Answers, ConfirmEmail, SignedUp, SignUp } from '../src/pages/sign-up.ts';

const anne: Answers = {
  'First Name': 'Anne-Marie',
  'Last Name': "O'Brien",
  Day: '17',
  Month: 'May',
  Year: '1984',
  Address: '12 Main St. #4',
  City: 'Vancouver',
  Province: 'British Columbia',
  'Postal Code': 'V5K 0A1',
  Email: 'anne@example.ca',
  'Confirm Email': 'Anne@Example.ca',
  Password: 'a sentence of words',
  'Confirm Password': 'a sentence of words',
  'Health Card Province': 'British Columbia',
  'Health Card Number': '9123456702',
  'Confirm Health Card Number': '9123456702',
};

async function fillAll(form: SignUp): Promise<void> {
  await form.answer(anne);
  await form.gender.getByText('Female', { exact: true }).click();
  await form.phone('Mobile Phone', 'Area code').pressSequentially('6045550123');
  await form.consent.check();
  await form.expectCaptchaSolved();
}

// Shows: 1.can.1, 2.routes.3, 2.sign-up.1, 2.sign-up.2, 2.sign-up.3, 2.sign-up.4, 6.visitor.1, R-66
test('a person signs up, confirms the e-mail by its link and books a first visit (§2 Sign Up, R-66)', async ({
  page,
}) => {
  await page.goto('/login');
  await (await Login.arrive(page)).main.getByRole('link', { name: 'Sign Up' }).click();
  const form = await SignUp.arrive(page);
  await expect(form.field('Country')).toHaveValue('Canada');
  await fillAll(form);
  await expect(form.phone('Mobile Phone', 'Last 4')).toHaveValue('0123');
  await form.field('Preferred Pharmacy (optional)').pressSequentially('pha');
  await expect(form.main.getByRole('listbox', { name: 'Pharmacies found' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(form.main.getByRole('group', { name: 'Chosen pharmacy' })).toBeVisible();

  const wrong = await form.send();
  await expect(wrong.box).toContainText('May 17, 1984');
  await expect(wrong.box).toContainText('42 years old');
  await wrong.press('Cancel');
  await expect(form.field('Month')).toBeFocused();
  await expect(form.field('Year')).toHaveValue('');
  await expect(form.field('First Name')).toHaveValue('Anne-Marie');
  await form.answer({ Day: '17', Month: 'May', Year: '1985' });
  await (await form.send()).press('Confirm');

  const done = await SignedUp.arrive(page);
  await expect(done.main).toContainText('anne@example.ca');
  await expect(done.main).toContainText('The link is valid for 6 hours.');

  await page.goto('/login');
  const early = await Login.arrive(page);
  await early.logIn('anne@example.ca', 'a sentence of words');
  await expect(early.alert()).toContainText(
    'If you have just signed up, open the link in our email first.',
  );

  const mail = await expectMail(page, 'anne@example.ca', /confirm/i);
  await page.goto(confirmLinkIn(mail));
  await (await ConfirmEmail.arrive(page)).confirm('a sentence of words');
  const confirmed = await ConfirmEmail.arrive(page);
  await expect(
    confirmed.says('Your email address is confirmed. You can log in now.'),
  ).toBeVisible();
  await confirmed.main.getByRole('link', { name: 'Log in' }).click();
  await (await Login.arrive(page)).logIn('anne@example.ca', 'a sentence of words');

  const home = await ChooseType.arrive(page);
  await expect(home.shell.header.getByText('Anne-Marie', { exact: true })).toBeVisible();
  const grid = await home.search('In-person visit');
  const { confirm } = await grid.pickFirst();
  await confirm.reason.fill('a first visit');
  await (await confirm.nextTo('Family Doctor')).press('No');
  await (await AppointmentDetails.arrive(page, 'Appointment Details')).agree();

  await page.goto(confirmLinkIn(mail));
  await (await ConfirmEmail.arrive(page)).confirm('a sentence of words');
  await expect(confirmed.alert()).toContainText(
    'The account of this email address is open already. You can log in.',
  );
});

testAlone('a person signs up with the keyboard alone', async ({ page }) => {
  await page.goto('/register');
  const form = await SignUp.arrive(page);
  const { press, tabTo, answer } = keyboardOf(page);
  await answer('First Name', 'Anne-Marie');
  await answer('Last Name', "O'Brien");
  await tabTo('radio', 'Male');
  await press('ArrowDown');
  await expect(form.gender.getByRole('radio', { name: 'Female' })).toBeChecked();
  await answer('Month', 'May');
  await answer('Day', '17');
  await answer('Year', '1984');
  await answer('Address', '12 Main St. #4');
  await answer('City', 'Vancouver');
  await answer('Province', 'British');
  await answer('Postal Code', 'V5K 0A1');
  // A full part of the number leads on to the next.
  await answer('Area code', '6045550123');
  await answer('Email', 'anne@example.ca');
  await answer('Confirm Email', 'anne@example.ca');
  await answer('Password', 'a sentence of words');
  await answer('Confirm Password', 'a sentence of words');
  await answer('Health Card Province', 'British');
  await answer('Health Card Number', '9123456702');
  await answer('Confirm Health Card Number', '9123456702');
  await tabTo('checkbox', 'I have read this and agree to it.');
  await press('Space');
  await form.expectCaptchaSolved();
  await tabTo('button', 'Sign Up');
  await press('Enter');
  await expect(page.getByRole('heading', { name: 'Please check the date of birth' })).toBeFocused();
  await expect(page.getByRole('dialog')).toContainText('May 17, 1984');
  await tabTo('button', 'Confirm');
  await press('Enter');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Please confirm your email' }),
  ).toBeFocused();
});

// Shows: 5.sign-up.8
test('what is missing is named with its field, what was typed stays, and the form fits the window (§5 Sign-up)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/register');
  const form = await SignUp.arrive(page);
  await page.setViewportSize({ width: 375, height: 812 });
  await form.expectBirthDateInOneLine();
  await page.setViewportSize({ width: 320, height: 640 });
  await form.expectCaptchaSolved();
  await form.expectRefused(
    'First Name is required',
    'Last Name is required',
    'Gender is required',
    'Date of Birth is required',
    'Address is required',
    'City is required',
    'Province is required',
    'Postal Code is required',
    'Either Mobile Phone, Home Phone or International Phone is required for registration.',
    'Email is required',
    'Confirm Email is required',
    'Password is required',
    'Confirm Password is required',
    'Health Card Province is required',
    'Please mark checkbox below to continue.',
  );
  await SignUp.arrive(page);
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBe(0);
  await fillAll(form);

  await form.shell.footer.getByRole('link', { name: 'Walk-in hours' }).click();
  await expect(page.getByRole('heading', { name: 'Walk-in information' })).toBeVisible();
  await page.goBack();
  await expect((await SignUp.arrive(page)).field('City')).toHaveValue('Vancouver');
});

// Shows: R-97
testAlone(
  'a card that has an account is told behind the link, with the way to the clinic (R-65, R-97)',
  async ({ page }) => {
    await page.goto('/register');
    const form = await SignUp.arrive(page);
    await fillAll(form);
    // Casey's card: the clinic alone can say whose it is.
    const caseys = {
      'Health Card Number': '9876543218',
      'Confirm Health Card Number': '9876543218',
    };
    await form.answer(caseys);
    await (await form.send()).press('Confirm');
    await SignedUp.arrive(page);
    await page.goto(confirmLinkIn(await expectMail(page, 'anne@example.ca', /confirm/i)));
    const confirm = await ConfirmEmail.arrive(page);
    await confirm.confirm('a sentence of words');
    await expect(confirm.alert()).toContainText(
      'This account cannot be opened online. The clinic’s front desk has been told. Please contact the clinic.',
    );
    await expect(confirm.alert().getByRole('link', { name: /^Call/ })).toBeVisible();
    await ConfirmEmail.arrive(page);
  },
);
