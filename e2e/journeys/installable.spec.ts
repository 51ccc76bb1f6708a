import { expect, test } from '../src/journey.ts';
import { Login } from '../src/pages/login.ts';

test.use({ onlyLooks: true });

interface Manifest {
  readonly display: string;
  readonly start_url: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string }[];
}

test('a phone can keep the app with its icons', async ({ page }) => {
  await page.goto('/login');
  await Login.arrive(page);
  const path = await page.locator('link[rel="manifest"]').getAttribute('href');
  const answer = await page.request.get(path ?? '');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const { display, start_url, icons } = (await answer.json()) as Manifest;
  expect({ display, start_url }).toEqual({ display: 'standalone', start_url: '/' });
  expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  for (const { src, sizes } of icons) {
    const drawn = await page.evaluate(
      (url) =>
        new Promise<string>((resolve, reject) => {
          const image = new Image();
          image.onload = () => resolve(`${image.naturalWidth}x${image.naturalHeight}`);
          image.onerror = () => reject(new Error(url));
          image.src = url;
        }),
      src,
    );
    if (sizes !== 'any') expect(drawn).toBe(sizes);
  }
});

test.describe('with the worker of the offline page', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a page that cannot be fetched says so, and nothing but that page is kept', async ({
    page,
    context,
    as,
  }) => {
    await as('new1@practice.example');
    await page.goto('/appointments');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'My Appointments' })).toBeVisible();
    await context.setOffline(true);
    await page.goto('/account');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline');
    const kept = await page.evaluate(async () => {
      const requests = [];
      for (const name of await caches.keys())
        requests.push(...(await (await caches.open(name)).keys()));
      return requests.map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual(['/offline.html', '/offline.css']);
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
  });
});
