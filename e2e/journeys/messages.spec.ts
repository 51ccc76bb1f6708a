import { readFile } from 'node:fs/promises';

import { expectAccessible } from '../src/accessible.ts';
import { picture } from '../src/attached-files.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { Account } from '../src/pages/account.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { Messages } from '../src/pages/messages.ts';
import { liveConnection } from '../src/waiting.ts';

// Shows: 6.patient.1, R-80
test('a patient writes with files, the clinic answers while the page is open, and the patient replies (R-80, R-86)', async ({
  page,
  as,
  clinic,
}) => {
  await as('new1@practice.example');
  await page.goto('/account');
  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  const messages = await Messages.arrive(page);
  await expect(messages.section().getByText('No messages yet.')).toBeVisible();
  await expectAccessible(page);

  await messages.section().getByRole('button', { name: 'Write to the clinic' }).click();
  await messages.write('Your message', 'My knee hurts.');
  await messages.section().getByRole('button', { name: 'Attach files' }).click();
  await messages.send();
  await expect(messages.section().getByText('Pleae choose your file to upload')).toBeVisible();
  await expectAccessible(page);
  await messages.section().getByRole('button', { name: 'Send without files' }).click();
  await messages.attach(picture('knee.png'));
  await messages.send();
  const mine = messages.entry('My knee hurts.');
  await expect(mine).toContainText('knee.png');
  await expectAccessible(page);

  await mine.getByRole('button', { name: 'Show knee.png' }).click();
  await expect(mine.getByRole('img', { name: 'Picture knee.png' })).toHaveJSProperty(
    'naturalWidth',
    64,
  );
  const saving = page.waitForEvent('download');
  await mine.getByRole('button', { name: 'Download knee.png' }).click();
  expect((await saving).suggestedFilename()).toBe('knee.png');

  await mine.getByRole('button', { name: 'Edit' }).click();
  await expectAccessible(page);
  await messages.write('Your message', 'My left knee hurts.');
  await messages.section().getByRole('button', { name: 'Save' }).click();
  await expect(messages.entry('My left knee hurts.')).toContainText('Changed');

  const listed = await clinic.command('messages', 'list', '--waiting');
  expect(listed).toContain('My left knee hurts.');
  const id = /^(\S{36}) .*My left knee hurts/m.exec(listed)?.[1] ?? '';
  // The thread stands in the address: Back leads to the list, and a reload to the thread.
  await page.goBack();
  await expect(messages.row(/My left knee hurts\./)).toBeVisible();
  await expectAccessible(page);
  await page.goForward();
  const connected = liveConnection(page);
  await page.reload();
  await expect(messages.entry('My left knee hurts.')).toBeVisible();
  await messages.write('Your reply', 'Thank y');

  await messages.shell.tab('My Appointments').click();
  await Appointments.arrive(page);
  await connected;
  // Said for ten seconds, in which a slow command may not have ended.
  const told = expect(page.getByText('The clinic has replied to your message.')).toBeVisible();
  await clinic.command('messages', 'answer', id, '--text', 'Please come in on Tuesday.');
  await told;
  await page.getByRole('link', { name: /^My Account.*1 new reply$/ }).click();
  await page.getByRole('link', { name: 'Messages (1 new reply)' }).click();
  await Messages.arrive(page);
  await messages.row(/Please come in on Tuesday\./).click();
  await expect(messages.entry('Please come in on Tuesday.')).toContainText('The clinic');
  await expect(messages.shell.tab('My Account')).toBeVisible();
  // A reply that was begun is still there.
  await expect(messages.section().getByLabel('Your reply')).toHaveValue('Thank y');
  await expect(messages.section().getByRole('button', { name: 'Edit' })).toHaveCount(0);

  await messages.write('Your reply', 'Thank you.');
  await messages.send();
  await expect(messages.entry('Thank you.')).toBeVisible();
  await messages.section().getByRole('button', { name: 'Back to messages' }).click();
  await expect(messages.row(/Thank you\./)).toContainText('Sent');

  const mail = await expectMail(page, 'new1@practice.example', /replied to your message/);
  expect(mail).not.toContain('Tuesday');
});

test('a patient takes their data along as one file (S-15)', async ({ page, as }) => {
  await as('casey@practice.example');
  await page.goto('/account');
  await Account.arrive(page);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('my-clinic-data.zip');
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  await expect(page.getByText('Your data has been downloaded.')).toBeVisible();
});

testAlone('a person writes to the clinic with the keyboard alone', async ({ page, as }) => {
  await as('casey@practice.example');
  await page.goto('/account?view=messages');
  const messages = await Messages.arrive(page);
  const { press, tabTo } = keyboardOf(page);
  await tabTo('button', 'Write to the clinic');
  await press('Enter');
  await tabTo('textbox', 'Your message');
  await page.keyboard.type('My knee hurts.');
  await tabTo('button', 'Send');
  await press('Enter');
  await expect(messages.entry('My knee hurts.')).toBeVisible();
});
