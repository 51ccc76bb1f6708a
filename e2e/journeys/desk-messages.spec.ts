import { expectAccessible } from '../src/accessible.ts';
import { picture } from '../src/attached-files.ts';
import { CountedKeys } from '../src/counted-keys.ts';
import { expect, listenForErrors, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { liveSocket } from '../src/live-socket.ts';
import { DeskMessages } from '../src/pages/desk-messages.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { Messages } from '../src/pages/messages.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';
import { practicePassword, signIn } from '../src/sign-in.ts';

// Shows: S-18, R-86
test('a patient writes, the receptionist sees it come, assigns and answers it by keyboard, and the patient reads it', async ({
  page,
  browser,
  clinic,
  take,
}) => {
  take('new1@practice.example');
  await signInAtDesk(page, clinic.url, 'robin@practice.example', '/desk/messages');
  const inbox = await DeskMessages.arrive(page);
  const { press, tabTo, answer } = keyboardOf(page);
  await expect(inbox.tab).toHaveText('Messages1 new');

  const context = await browser.newContext({ baseURL: clinic.url });
  const failures = listenForErrors(context);
  await signIn(context, clinic.url, 'new1@practice.example');
  const patient = await context.newPage();
  await patient.goto('/account?view=messages');
  const own = await Messages.arrive(patient);
  await own.section().getByRole('button', { name: 'Write to the clinic' }).click();
  await own.write('Your message', 'My knee hurts on the stairs.');
  await own.attach(picture('knee.png'));
  await own.send();
  await expect(own.entry('My knee hurts on the stairs.')).toBeVisible();

  await expect(inbox.tab).toHaveText('Messages2 new');
  const panel = await inbox.open('Newcomer, Ari', 'My knee hurts on the stairs.');
  await expect(inbox.tab).toHaveText('Messages1 new');
  await tabTo('button', 'Show knee.png');
  await press('Enter');
  await expect(panel.getByRole('img', { name: 'Picture knee.png' })).toHaveJSProperty(
    'naturalWidth',
    64,
  );
  await answer('Who looks after it', 'Robin');
  await tabTo('button', 'Assign');
  await press('Enter');
  await expect(inbox.outcome).toHaveText('Assigned to Robin Lee (you).');
  await expect(inbox.entry('My knee hurts on the stairs.')).toContainText('with Robin Lee');

  await answer('Your answer', 'Please come in on Tuesday.');
  await press('Control+Enter');
  await expect(inbox.outcome).toContainText('Sent. The patient is told by email');
  await expect(inbox.outcome).toBeFocused();
  await expectAccessible(page);
  await expect(panel.getByText('Please come in on Tuesday.')).toBeVisible();
  await expect(panel.getByLabel('Your answer')).toHaveValue('');

  await expect(own.entry('Please come in on Tuesday.')).toContainText('The clinic');
  const mail = await expectMail(patient, 'new1@practice.example', /replied to your message/);
  expect(mail).not.toContain('Tuesday');

  await answer('New note', 'Told the nurse.');
  await tabTo('button', 'Add note');
  await press('Enter');
  await expect(inbox.outcome).toHaveText('The note is added.');
  await expect(panel.getByText('Told the nurse.')).toBeVisible();
  await press('Escape');
  await expect(panel).toBeHidden();
  await expect(inbox.entry('Please come in on Tuesday.')).toBeFocused();
  expect(failures).toEqual([]);
  await context.close();
});

// Shows: S-18
test('from a message to what it asks for is booked in seven keys, and the answer says so', async ({
  page,
  clinic,
  caller,
}) => {
  const patient = await caller('new5@practice.example');
  expect((await patient.write('May I come on Monday?')).status).toBe(200);
  await signInAtDesk(page, clinic.url, 'robin@practice.example', '/desk/messages');
  const inbox = await DeskMessages.arrive(page);
  const keys = new CountedKeys(page);
  await inbox.entry('May I come on Monday?').focus();

  await keys.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Newcomer, Eva' });
  await expect(panel.getByRole('heading', { name: 'Newcomer, Eva' })).toBeFocused();
  await keys.tabTo(panel.getByRole('button', { name: 'Book for them' }));
  await keys.press('Enter');
  const dialog = page.getByRole('dialog');
  const times = dialog.getByRole('listbox', { name: 'Free times' });
  await expect(times).toBeFocused();
  await expect(times.getByRole('option', { selected: true })).toBeVisible();
  await keys.press('Enter');
  await expect(dialog.locator(':focus')).toHaveText('Book this time');
  await keys.press('Enter');
  await expect(dialog.getByRole('alert').filter({ hasText: /^Booked: / })).toBeVisible();
  expect(keys.pressed).toBeLessThanOrEqual(7);

  await keys.press('Escape');
  await expect(panel.getByLabel('Your answer')).toHaveValue(
    /^We have booked In-person visit for you on .* with .*\.$/,
  );
  await expectAccessible(page);
  const { answer, press } = keyboardOf(page);
  await answer('Your answer', 'See you then.');
  await press('Control+Enter');
  await expect(inbox.outcome).toContainText('Sent.');
  await panel.getByRole('link', { name: 'Record' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Eva Newcomer' })).toBeVisible();
});

// Shows: S-18
test('an inbox that misses the code of its live connection fetches it again; where the service refuses the connection it says so, and hears the next message once it does not', async ({
  page,
  clinic,
  caller,
}) => {
  const wire = await liveSocket(page);
  const missed = page.waitForEvent('requestfailed', (request) => request.url().includes('/esm-'));
  await page.route('**/desk/assets/esm-*.js', (route) => route.abort(), { times: 1 });
  await signInAtDesk(page, clinic.url, 'robin@practice.example', '/desk/messages');
  const inbox = await DeskMessages.arrive(page);
  const patient = await caller('new4@practice.example');
  await missed;
  await expect.poll(wire.tries).toBeGreaterThan(0);
  wire.refuse('serviceBusy');
  const line = page.getByText(/^Not live: last updated \d\d:\d\d\.$/);
  await expect(line).toBeVisible();
  await expectAccessible(page);
  await expect.poll(wire.tries).toBeGreaterThan(2);
  expect((await patient.write('Is my letter ready?')).status).toBe(200);
  wire.mend();
  await expect(inbox.entry('Is my letter ready?')).toBeVisible();
  await expect(line).toBeHidden();
  expect((await patient.write('It is about my knee.')).status).toBe(200);
  await expect(inbox.entry('It is about my knee.')).toBeVisible();
});

// Shows: S-18, R-95
testAlone(
  'a page that is open while the service restarts says so, and finds out what became of an answer',
  async ({ page, clinic, caller }) => {
    const patient = await caller('new4@practice.example');
    expect((await patient.write('Is my letter ready?')).status).toBe(200);
    await signInAtDesk(page, clinic.url, 'robin@practice.example', '/desk/messages');
    const inbox = await DeskMessages.arrive(page);
    const panel = await inbox.open('Newcomer, Dov', 'Is my letter ready?');
    await panel.getByLabel('Your answer').fill('It is.');
    const line = page.getByText(/^Not live: last updated \d\d:\d\d\.$/);
    // The service takes the answer, and is gone before it says so.
    const path = '**/api/desk/messages/*/answer';
    const restarted = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      expect((await route.fetch()).status()).toBe(200);
      await clinic.restart(async () => {
        await route.abort();
        await expect(inbox.outcome).toContainText('it is not known whether this was sent');
        await expect(line).toBeVisible();
        await expect(panel.getByLabel('Your answer')).toHaveValue('It is.');
      });
      await page.unroute(path);
      restarted.resolve();
    });
    await panel.getByRole('button', { name: 'Send answer' }).click();
    await restarted.promise;
    await expect(line).toBeHidden();
    await panel.getByRole('button', { name: 'Send answer' }).click();
    await expect(inbox.outcome).toContainText('Sent.');
    await expect(panel.getByText('It is.', { exact: true })).toHaveCount(1);
    expect((await patient.write('It is about my knee.')).status).toBe(200);
    await expect(inbox.entry('It is about my knee.')).toBeVisible();
  },
);

// Shows: S-18
test('of two who answer at once the second reads what the first wrote, and keeps their text', async ({
  page,
  browser,
  clinic,
  caller,
}) => {
  const patient = await caller('new2@practice.example');
  // Hers from now on: a clinician has the messages of own patients.
  const day = await patient.get('/doctors/schedule?from=2026-11-23&to=2026-11-23&id=101&type=O');
  const [{ providers }] = day.body['extras'] as [
    { providers: { schedule: { start: number }[] }[] },
  ];
  const start = providers[0]?.schedule[0]?.start ?? 0;
  expect((await patient.book({ doctor: '101', start })).status).toBe(200);
  expect((await patient.write('When do you close?')).status).toBe(200);
  const context = await browser.newContext({ baseURL: clinic.url });
  const colleague = await context.newPage();
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk/messages');
  await signInAtDesk(colleague, clinic.url, 'stone@practice.example', '/desk/messages');
  const morgans = await DeskMessages.arrive(page);
  const stones = await DeskMessages.arrive(colleague);
  const panel = await morgans.open('Newcomer, Bea', 'When do you close?');
  const other = await stones.open('Newcomer, Bea', 'When do you close?');
  await panel.getByLabel('Your answer').fill('At five.');
  await other.getByLabel('Your answer').fill('At six on Tuesdays.');
  await panel.getByRole('button', { name: 'Send answer' }).click();
  await expect(morgans.outcome).toContainText('Sent.');

  await other.getByRole('button', { name: 'Send answer' }).click();
  await expect(stones.outcome).toContainText('Morgan Hale');
  await expect(stones.outcome).toContainText('At five.');
  await expect(stones.outcome).toBeFocused();
  await expectAccessible(colleague);
  await expect(other.getByLabel('Your answer')).toHaveValue('At six on Tuesdays.');

  await colleague.getByRole('button', { name: 'Lock' }).click();
  await expect(colleague.getByRole('heading', { name: 'The screen is locked' })).toBeVisible();
  await colleague.getByLabel('Your password or a new code').fill(practicePassword);
  await colleague.keyboard.press('Enter');
  await expect(other.getByLabel('Your answer')).toHaveValue('At six on Tuesdays.');
  await other.getByRole('button', { name: 'Send answer' }).click();
  await expect(stones.outcome).toContainText('Sent.');
  await context.close();
});

// Shows: S-18
// In a clinic of its own: the code of each of the staff is good once in half a minute.
testAlone(
  'a reply is kept while an answer is half written: nothing is sent, and Escape leaves the message open',
  async ({ page, clinic, caller }) => {
    const patient = await caller('new3@practice.example');
    expect((await patient.write('Do you have parking?')).status).toBe(200);
    await signInAtDesk(page, clinic.url, 'robin@practice.example', '/desk/messages');
    const inbox = await DeskMessages.arrive(page);
    const panel = await inbox.open('Newcomer', 'Do you have parking?');
    await panel.getByLabel('Your answer').fill('We have');
    await panel.getByRole('button', { name: 'Edit saved replies' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'New reply' }).click();
    await dialog.getByLabel('Name').fill('Parking');
    await dialog.getByLabel('Text').fill('You can park behind the house.');
    await dialog.getByRole('button', { name: 'Save reply' }).click();
    // Until then the dialog stays, and the text stands in its field.
    await expect(dialog.getByText('Saved.')).toBeVisible();
    await expect(dialog.getByText('You can park behind the house.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(panel.getByLabel('Your answer')).toHaveValue('We have');
    await expect(panel.getByText('Waits for an answer')).toBeVisible();
  },
);
