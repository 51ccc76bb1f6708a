import { resolve } from 'node:path';

import { expect, test as base } from '@playwright/test';
import { createServer } from 'vite';

import { expectAccessible } from '../src/accessible.ts';
import { listenForErrors } from '../src/journey.ts';

/** The page of `npm run ui`. */
const test = base.extend<object, { controls: string }>({
  controls: [
    async ({ browserName: _browser }, give) => {
      const configFile = resolve(import.meta.dirname, '../../packages/ui/vite.config.ts');
      const server = await createServer({
        configFile,
        logLevel: 'error',
        server: { port: 0, host: '127.0.0.1', open: false },
      });
      await server.listen();
      await give(server.resolvedUrls?.local[0] ?? '');
      await server.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ context }, give) => {
    const failures = listenForErrors(context);
    await give(context);
    expect(failures).toEqual([]);
  },
});

for (const theme of ['light', 'dark'])
  test(`every state of every control is accessible where it is ${theme}`, async ({
    page,
    controls,
  }) => {
    await page.goto(`${controls}?theme=${theme}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Controls');
    await page.getByRole('button', { name: 'Show what came of this press' }).click();
    await page.getByRole('button', { name: 'Show what is wrong with a form' }).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeVisible();
    await expectAccessible(page);
    for (const kind of ['A question', 'An alert', 'A long text']) {
      await page.getByRole('button', { name: kind }).click();
      const dialog = page.getByRole(kind === 'An alert' ? 'alertdialog' : 'dialog');
      await expect(dialog).toHaveAccessibleName(kind);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'No' }).click();
      await expect(dialog).toBeHidden();
    }
  });

for (const [what, part] of [
  ['dim in the dark', '<p style="color: light-dark(#000, #555)">Dim</p>'],
  ['dim in the light', '<p style="color: light-dark(#aaa, #fff)">Dim</p>'],
  ['called otherwise than it says', '<button aria-label="Send">Book</button>'],
] as const)
  test(`what is ${what} is found`, async ({ page }) => {
    await page.setContent(`<!doctype html><html lang="en"><title>Planted</title>
      <style>:root { color-scheme: light dark; background: light-dark(#fff, #000) }</style>
      <main><h1>Planted</h1>${part}</main></html>`);
    await expect(expectAccessible(page)).rejects.toThrow(/color-contrast|label-content-name/);
  });

for (const way of ['text=200', 'dir=rtl'])
  test(`no control is wider than a phone with ${way}`, async ({ page, controls }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto(`${controls}?${way}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Controls');
    await expectAccessible(page);
    const html = page.locator('html');
    expect(await html.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });
