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
        // It loads no page anew, whatever is written beside it.
        server: { port: 0, host: '127.0.0.1', open: false, hmr: false, watch: null },
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

test.describe('what a browser makes of a press', () => {
  test.use({ hasTouch: true });

  test('acts once on the control where it went down, moved or made anew meanwhile or not', async ({
    page,
    controls,
  }) => {
    await page.goto(controls);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Controls');
    await page.evaluate(() => {
      const place = document.createElement('div');
      place.id = 'presses';
      place.innerHTML = `<p>Nothing</p><button>raw</button> <button>other</button>
        <label><input type="checkbox"> box</label>
        <details><summary>more</summary>Text</details>
        <form><input aria-label="Code"><button>send</button></form>`;
      place.addEventListener('submit', (event) => event.preventDefault());
      for (const [name, type] of [
        ['raw', 'click'],
        ['other', 'click'],
        ['box', 'change'],
        ['more', 'toggle'],
        ['send', 'submit'],
      ] as const)
        place.addEventListener(
          type,
          ({ target }) => {
            const { textContent } = target as HTMLElement;
            const isIt = type === 'click' ? textContent === name : true;
            if (isIt) place.dataset['done'] = `${place.dataset['done'] ?? ''}${name} `;
          },
          { capture: true },
        );
      document.querySelector('main')?.prepend(place);
    });
    const place = page.locator('#presses');
    /** In event time: what appeared may be pressed, and what was pressed may be pressed again. */
    const rest = () =>
      place.evaluate(async () => {
        const { timeStamp } = new Event('now');
        while (new Event('now').timeStamp < timeStamp + 150)
          await new Promise(requestAnimationFrame);
      });
    const done = async () => {
      await place.evaluate(() => new Promise(requestAnimationFrame));
      return place.evaluate((all) => {
        const said = all.dataset['done']?.trim() ?? '';
        delete all.dataset['done'];
        return said;
      });
    };
    const controlsOf = {
      raw: place.getByText('raw'),
      box: place.getByText('box'),
      more: place.getByText('more'),
      send: place.getByText('send'),
    };
    await rest();
    for (const [name, control] of Object.entries(controlsOf)) {
      await control.click();
      expect([name, await done()]).toEqual([name, name]);
      await control.tap();
      expect([name, await done()]).toEqual([name, name]);
      await control.click({ button: 'right' });
      await control.click({ button: 'middle' });
      expect([name, await done()]).toEqual([name, '']);
      const focused = name === 'box' ? place.getByRole('checkbox') : control;
      await focused.focus();
      for (const key of name === 'box' ? ['Space'] : ['Space', 'Enter']) {
        if (name === 'send') await rest();
        for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down(key);
        await page.keyboard.up(key);
        expect([name, key, await done()]).toEqual([name, key, name]);
      }
    }
    await place.getByLabel('Code').focus();
    await rest();
    for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await done()).toBe('send');

    const { mouse } = page;
    const { raw } = controlsOf;
    const during = async (change: () => Promise<unknown>) => {
      await raw.hover();
      await mouse.down();
      await change();
      await mouse.up();
      return done();
    };
    expect(await during(() => place.getByText('other').hover())).toBe('');
    expect(await during(() => place.evaluate((all) => (all.style.paddingTop = '90px')))).toBe(
      'raw',
    );
    expect(
      await during(() => raw.evaluate((button) => button.replaceWith(button.cloneNode(true)))),
    ).toBe('raw');
    await place.getByText('other').focus();
    await page.keyboard.down('Space');
    await raw.focus();
    await page.keyboard.down('Space');
    await page.keyboard.up('Space');
    expect(await done()).toBe('');
  });
});
