import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { credentials, ownAuthority, startFakeOscar } from '@clinic/oscar/fake';
import { newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { testDatabaseUrl } from '@clinic/service/testing/test-database.ts';
import { expect, onTestFinished, test } from 'vitest';

const { PATH, NODE_COMPILE_CACHE, TEST_PROGRAMS = '' } = process.env;

test('emr connect and emr check speak to an OSCAR whose certificate is of an authority of its own, and say how where they cannot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fake = await startFakeOscar({ profile: 'openo', certificate: ownAuthority });
  onTestFinished(() => fake.stop());
  const file = (name: string, contents: string) => {
    const path = join(folder, name);
    writeFileSync(path, contents, { mode: 0o600 });
    return path;
  };
  const settings = {
    PATH,
    NODE_COMPILE_CACHE,
    DATABASE_URL: await testDatabaseUrl(),
    KEYRING_FILE: file('keyring.json', JSON.stringify(newKeyMaterial())),
    PUBLIC_URL: 'https://booking.harbourview.ca',
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'Harbour View <booking@harbourview.ca>',
    CLINIC_NAME: 'Harbour View',
    CLINIC_EMAIL: 'booking@harbourview.ca',
    CLINIC_PHONE: '604-261-4500',
    CLINIC_ADDRESS: '1210 Burrard Street',
    WALK_IN_HOURS: 'Saturday: 10:00 to 13:00',
    BOOKING_FEE: '12.00',
    NO_SHOW_FEE: '50.00',
    EMR_URL: fake.base,
  };
  const knowing = { NODE_EXTRA_CA_CERTS: file('ca.pem', ownAuthority.ca) };
  async function clinic(authority: object, ...typed: string[]) {
    const child = spawn(process.execPath, [join(TEST_PROGRAMS, 'clinic.mjs'), 'emr', ...typed], {
      cwd: folder,
      env: { ...settings, ...authority },
    });
    const said = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      once(child, 'close'),
    ]);
    return said.slice(0, 2).join('');
  }
  const { consumer: client, soap: login } = credentials;
  const access = file('access.json', JSON.stringify({ client, login, programId: 10_034 }));
  const cure = /UNABLE_TO_VERIFY_LEAF_SIGNATURE.*[\s→]+Set NODE_EXTRA_CA_CERTS to a file/;

  expect(await clinic({}, 'connect', '--file', access)).toMatch(cure);
  const asked = await clinic(knowing, 'connect', '--file', access);
  const { origin, searchParams } = new URL(/^Open (\S+)$/m.exec(asked)?.[1] ?? '');
  expect(origin).toBe(new URL(fake.base).origin);
  const verifier = fake.consents.approve(searchParams.get('oauth_token') ?? '', '101') ?? '';
  expect(await clinic(knowing, 'connect', '--verifier', verifier)).toContain('OSCAR is connected.');
  const found = await clinic(knowing, 'check');
  expect(found).toMatch(/right +login/);
  expect(found).toMatch(/right +token/);
  expect(await clinic({}, 'check')).toMatch(cure);
});
