import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAILED_LINKS, type MailedLinkName, deskPages, patientPages } from '@clinic/domain';
import { REWRITINGS, sampleLink } from '@clinic/domain/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../testing/index.ts';

let folder: string;
let clinic: TestApp;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  for (const app of ['web', 'desk']) {
    mkdirSync(join(folder, app, 'assets'), { recursive: true });
    writeFileSync(join(folder, app, 'index.html'), `<html>${app}</html>`);
    writeFileSync(join(folder, app, 'assets', 'page-3f2a.js'), app);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => clinic.close());

async function open(deskRoot: string | null) {
  clinic = await testApp({ config: { webRoot: join(folder, 'web'), deskRoot, practice: false } });
}
const answered = async (url: string) => {
  const { statusCode, body } = await clinic.app.inject(url);
  return [statusCode, body];
};

// Shows: R-100
test('the front desk has pages and files of its own', async () => {
  await open(join(folder, 'desk'));
  const pages = Object.values(deskPages).map(
    (page) => `/desk${page.replaceAll(/:\w+/g, '2026-11-21')}`,
  );
  for (const url of [
    '/desk',
    '/desk/invitation',
    ...pages,
    ...pages.map((page) => page.replace(/\/?$/, '/')),
  ])
    expect([url, ...(await answered(url))]).toEqual([url, 200, '<html>desk</html>']);
  expect(await answered('/desk/nothing')).toEqual([404, '<html>desk</html>']);
  expect(await answered('/desk/assets/page-3f2a.js')).toEqual([200, 'desk']);
  expect((await answered('/desk/assets/gone.js'))[0]).toBe(404);
  expect(await answered('/desks')).toEqual([404, '<html>web</html>']);
  for (const page of Object.values(patientPages)) {
    const url = page.replaceAll(/:\w+\??/g, 'here');
    expect([url, ...(await answered(url))]).toEqual([url, 200, '<html>web</html>']);
  }
  expect(await answered('/assets/page-3f2a.js')).toEqual([200, 'web']);
});

// Shows: R-100
test('where the front desk is off its address is not found', async () => {
  await open(null);
  expect(await answered('/desk')).toEqual([404, '<html>web</html>']);
  expect(await answered('/desk/day/2026-11-21')).toEqual([404, '<html>web</html>']);
});

test.each(Object.keys(MAILED_LINKS) as MailedLinkName[])(
  'the page of the mailed link %s is found however a mail gateway has rewritten it, and nothing is logged of it',
  async (name) => {
    await open(join(folder, 'desk'));
    const page = `<html>${name === 'staff' ? 'desk' : 'web'}</html>`;
    for (const { of, rewrite, inSecret } of REWRITINGS) {
      if (of === 'text' || (inSecret && !('secret' in MAILED_LINKS[name]))) continue;
      // A browser keeps what follows a '#'.
      const url = new URL(rewrite(sampleLink(name))).href.slice(22).replace(/#.*/, '');
      expect([url, ...(await answered(url))]).toEqual([url, 200, page]);
      const head = await clinic.app.inject({ method: 'HEAD', url });
      expect([url, head.statusCode]).toEqual([url, 200]);
    }
    expect(clinic.log.lines.length).toBeGreaterThan(20);
    expect(JSON.stringify(clinic.log.lines)).not.toMatch(/aZ09|%23/);
  },
);
