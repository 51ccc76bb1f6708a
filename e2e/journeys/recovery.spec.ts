import { expect, test } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Login } from '../src/pages/login.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { NewPassword, PasswordChanged, Recovery } from '../src/pages/recovery.ts';
import { stopClock } from '../src/waiting.ts';

const casey = {
  email: 'casey@practice.example',
  born: ['17', 'May', '1984'],
} as const;

// Shows: 1.can.1, 2.routes.4, 2.recovery.1, 2.recovery.2, 4.recovery.1, 5.recovery.1, 5.recovery.3,
// 6.visitor.1, R-67
test('a patient who forgot the password gets a code, sets a new one and comes to the login (§2 Password recovery, R-67)', async ({
  page,
  as,
  browser,
  clinic,
}) => {
  await as('casey@practice.example');
  await page.goto('/');
  await ChooseType.arrive(page);

  const other = await browser.newContext({ baseURL: clinic.url });
  const visitor = await other.newPage();
  await visitor.setViewportSize({ width: 320, height: 640 });
  await visitor.clock.install();
  await visitor.goto('/login');
  await (await Login.arrive(visitor)).main.getByRole('link', { name: 'Forgot Password' }).click();
  const who = await Recovery.arrive(visitor);
  await who.expectCaptchaSolved();
  await who.next.click();
  await who.expectRefused(
    'Please enter your email address.',
    /^Please enter your full date of birth: day, month and year\. If you need help, write to \S+@\S+\.$/,
  );
  expect(
    await visitor.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBe(0);
  await who.identify({ ...casey, born: ['18', 'May', '1984'] });
  await who.expectRefused('Failed validating your information.');
  await who.identify({ ...casey, card: '9876543218' });
  await (await who.userFound()).press('Cancel');
  await who.identify(casey);
  await (await who.userFound()).press('Confirm');

  await NewPassword.arrive(visitor);
  await visitor.reload();
  const reset = await NewPassword.arrive(visitor);
  await reset.press('Set new password');
  await reset.expectRefused(
    'Please enter the code from the email.',
    'Password input cannot be empty',
  );
  await reset.fill('AAAA2222', 'seven77', 'seven78');
  await reset.expectRefused(
    'The length of password must be greater than 8',
    'New Password and Confirm New Password do not match.',
  );
  await reset.fill('AAAA2222', 'a new sentence');
  await reset.expectRefused(
    'This code is incorrect or no longer valid. Please check it or ask for a new one.',
  );
  const mailbox = await other.newPage();
  const mail = await expectMail(mailbox, 'casey@practice.example', /code/i);
  const code = /\b[A-Z0-9]{4}[ -]?[A-Z0-9]{4}\b/.exec(mail)?.[0] ?? 'no code';
  await stopClock(visitor);
  await reset.fill(code, 'a new sentence');
  const changed = await PasswordChanged.arrive(visitor);
  await expect(changed.says("You'll go to the login page in 5 seconds.")).toBeVisible();
  await visitor.clock.runFor(5_000);
  await visitor.clock.resume();
  const login = await Login.arrive(visitor);
  await login.logIn('casey@practice.example');
  await expect(login.alert()).toContainText('The email or password is incorrect.');
  await login.logIn('casey@practice.example', 'a new sentence');
  await ChooseType.arrive(visitor);
  await other.close();

  // The old session is over everywhere.
  await page.goto('/appointments');
  await Login.arrive(page);
});
