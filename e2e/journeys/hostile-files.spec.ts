import type { Page } from '@playwright/test';

import { type HostileFile, hostileFiles } from '../../apps/service/testing/hostile-files/index.ts';
import { expect, test } from '../src/journey.ts';

interface Attachment {
  readonly id: string;
}

const MOST_BYTES = 1024 * 1024;
const shownAt = 'kept-file';

/** Three in each message, as a patient sends them. */
async function send(clinicUrl: string, token: string, files: readonly HostileFile[]) {
  const form = new FormData();
  form.set('message', 'Here are my files.');
  for (const file of files)
    form.append('files', new File([new Uint8Array(await file.make())], file.name));
  const answer = await fetch(`${clinicUrl}/api/message`, {
    method: 'POST',
    headers: { 'x-access-token': token },
    body: form,
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { extras } = (await answer.json()) as {
    extras: { message: { entries: { files: Attachment[] }[] } };
  };
  return extras.message.entries.flatMap((entry) => entry.files);
}

/** What the browser makes of these bytes when they come as a page, and whether anything ran. */
async function opened(page: Page, body: Buffer, headers: Record<string, string>): Promise<boolean> {
  await page.route(`**/${shownAt}`, (route) => route.fulfill({ body, headers }));
  // A browser without a reader of PDF downloads it.
  await page.goto(`/${shownAt}`).catch(() => undefined);
  const ran = await page.evaluate(() => document.documentElement.dataset.ran === 'yes');
  await page.unroute(`**/${shownAt}`);
  await page.goto('about:blank');
  return ran;
}

// Shows: S-4
test('nothing runs in files that were kept, wherever they are opened', async ({
  browser,
  clinic,
  caller,
}) => {
  // Not the journey's own: Chromium complains of the sandbox about its own viewer of pictures.
  const page = await browser.newPage({ baseURL: clinic.url });
  const { token } = await caller('new1@practice.example');
  const kept: HostileFile[] = [];
  const byContent = hostileFiles.filter(({ what }) => !/name|says it is/.test(what));
  for (const file of byContent)
    if ('keptAs' in file.outcome && (await file.make()).length < MOST_BYTES) kept.push(file);
  expect(kept.length).toBeGreaterThan(20);
  const attachments: Attachment[] = [];
  for (let at = 0; at < kept.length; at += 3)
    attachments.push(...(await send(clinic.url, token, kept.slice(at, at + 3))));
  expect(attachments).toHaveLength(kept.length);

  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  for (const { id } of attachments) {
    const file = await fetch(`${clinic.url}/api/message/file/${id}`, {
      headers: { 'x-access-token': token },
    });
    const headers = Object.fromEntries(file.headers);
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="attachment\.\w+"$/),
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const bytes = Buffer.from(await file.arrayBuffer());
    const mediaType = headers['content-type'] ?? '';
    // As it is served, if a browser showed it all the same; and saved, opened from elsewhere.
    const { 'content-disposition': _kept, 'content-encoding': _packed, ...asServed } = headers;
    expect(await opened(page, bytes, asServed)).toBe(false);
    expect(await opened(page, bytes, { 'content-type': mediaType })).toBe(false);
    expect(await opened(page, bytes, { 'content-type': 'text/html' })).toBe(false);
  }
  expect(dialogs).toBe(0);

  const hostile = hostileFiles.find(({ what }) => what === 'a page called .png');
  const bytes = Buffer.from((await hostile?.make()) ?? []);
  // Such a script does run where nothing keeps it from running.
  expect(await opened(page, bytes, { 'content-type': 'text/html' })).toBe(true);
  await page.close();
});
