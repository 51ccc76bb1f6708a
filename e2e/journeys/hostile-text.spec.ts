import { picture } from '../src/attached-files.ts';
import { hostileTexts } from '../src/hostile-texts.ts';
import { expect, test } from '../src/journey.ts';
import { Messages } from '../src/pages/messages.ts';
import { expectMail } from '../src/pages/mailbox.ts';

const PATIENT = 'new1@practice.example';

const secondsOf = (instant: string) => Date.parse(instant) / 1000;

/** As many texts as fit into a field. */
function fieldsOf(most: number): string[] {
  const fields: string[] = [];
  for (const text of hostileTexts) {
    const last = fields.at(-1);
    if (last !== undefined && last.length + text.length < most)
      fields[fields.length - 1] = `${last} ${text}`;
    else fields.push(text.slice(0, most));
  }
  return fields;
}

// Shows: S-8, S-10
test('forty hostile texts in every field that takes them are words on every page and in every mail (S-10)', async ({
  page,
  clinic,
  as,
}) => {
  const token = await as(PATIENT);
  let ran = 0;
  page.on('dialog', (dialog) => {
    ran++;
    void dialog.dismiss();
  });
  const headers = { 'x-access-token': token, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${clinic.url}/api${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, said: await answer.text() };
  };

  await test.step('messages, with their files', async () => {
    const all = hostileTexts.join('\n');
    expect((await send('POST', '/message', { message: all })).status).toBe(200);
    await page.goto('/account?view=messages');
    const messages = await Messages.arrive(page);
    await messages.row(/^<script>/).click();
    await expect(messages.entry(hostileTexts.at(-1) ?? '')).toHaveCount(1);
    for (const text of hostileTexts) await expect(messages.entry(text)).toHaveCount(1);
    await messages.write('Your reply', hostileTexts[0] ?? '');
    await messages.attach(picture('<img src=x onerror=alert(1)>.png'));
    await messages.send();
    await expect(messages.section().getByLabel('Your reply')).toHaveValue('');
    await expect(
      messages.section().getByText('onerror=alert(1)>.png', { exact: false }),
    ).not.toHaveCount(0);
  });

  await test.step('the profile', async () => {
    const me = {
      city: 'Vancouver',
      province: 'BC',
      postal: 'V5K 0A1',
      sex: 'Other',
      country: 'Canada',
    };
    for (const address of fieldsOf(200)) {
      const saved = await send('POST', '/me', { ...me, phone: '6045550101', address });
      expect(saved.status, saved.said).toBe(200);
      await page.goto('/account');
      await expect(page.getByText(address, { exact: true })).toBeVisible();
    }
  });

  await test.step('the draft of an injury claim', async () => {
    // The practice clinic has booked a third of these times for others.
    const first = secondsOf('2026-11-24T15:00:00-07:00');
    let held = 0;
    for (let start = first; held !== 200 && start < first + 3600; start += 300) {
      const slot = { doctor: '101', start, end: start + 300, selectedType: 'I' };
      held = (await send('POST', '/schedule/hold', slot)).status;
    }
    expect(held).toBe(200);
    const [symptom, medicationTaken, reason] = [fieldsOf(300), fieldsOf(200), fieldsOf(80)].map(
      ([first = '']) => first,
    );
    const draft = { reason, symptom, medicationTaken };
    expect((await send('PUT', '/schedule/hold/draft', { draft })).status).toBe(200);
    await page.goto('/');
    await page.getByRole('button', { name: /continue/i }).click();
    await expect(page.getByRole('textbox', { name: /claim number/i })).toHaveValue(reason ?? '');
  });

  await test.step('a booking and its mail', async () => {
    const start = secondsOf('2026-11-26T08:00:00-07:00');
    const slot = { doctor: '101', start, end: start + 300, selectedType: 'O' };
    const booked = await send('POST', '/schedule/create', { ...slot, reason: fieldsOf(80)[0] });
    expect(booked.status, booked.said).toBe(200);
    await page.goto('/appointments');
    await expect(page.getByText('In-person visit')).not.toHaveCount(0);
    expect(await expectMail(page, PATIENT, /booked/i)).not.toContain('<script>');
  });

  await test.step('and nothing of it is kept in the browser (S-8)', async () => {
    await page.goto('/appointments');
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).toContain(token);
    for (const text of [PATIENT, 'alert(1)', 'In-person']) expect(kept).not.toContain(text);
  });
  expect(ran).toBe(0);
});
