import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toInstant } from '@clinic/domain';
import { returnAddress } from '@clinic/service/modules/accounts/index.ts';
import { findAccount, updatePatient } from '@clinic/service/modules/accounts/store.ts';
import {
  type PatientRow,
  type TestApp,
  ask,
  patientClinic,
} from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bounce-'));
  ({ clinic, patient, token } = await patientClinic({
    lastName: 'Harper',
    email: 'nell@test.example',
  }));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await clinic.close();
});

const addressOf = (email: string) => returnAddress(clinic.keyring, 'bounces@harbourview.ca')(email);

/** What Postfix sends back (RFC 3464). */
const report = (to: string, fields = 'Action: failed\nStatus: 5.1.1') => `\
Return-Path: <>
From: MAILER-DAEMON@mail.harbourview.ca (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="7F2A.1/mail"

--7F2A.1/mail
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--7F2A.1/mail
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.harbourview.ca
Arrival-Date: Mon, 23 Nov 2026 04:00:00 +0000 (UTC)

Final-Recipient: rfc822; nell@test.example
${fields}
Diagnostic-Code: smtp; 550 5.1.1 no such mailbox

--7F2A.1/mail
Content-Type: text/rfc822-headers

Status: 9.9.9
--7F2A.1/mail--
`;

async function bounce(message: string) {
  const file = join(folder, 'message');
  writeFileSync(file, message);
  const { code, lines } = await operate(clinic.platform, 'bounce', '--file', file);
  expect(code).toBe(0);
  return lines[0];
}
const listed = async (...typed: string[]) =>
  (await operate(clinic.platform, 'patients', 'list', ...typed)).lines;
const returnedAt = async () =>
  (await ask(clinic, 'getMe', { token })).json<{ emailReturnedAt: number | null }>()
    .emailReturnedAt;

describe('npm run clinic -- bounce', () => {
  test.each([
    ['as Postfix writes it', (text: string) => text],
    ['with the line ends of the network', (text: string) => text.replaceAll('\n', '\r\n')],
    ['in capitals', (text: string) => text.replace(/To: .*/, (to) => to.toUpperCase())],
  ])('marks the address of the report, %s', async (_, written) => {
    expect(await returnedAt()).toBeNull();
    const message = written(report(addressOf(patient.email)));
    expect(await bounce(message)).toBe('The address is marked.');
    expect(await listed('--bounced')).toEqual([
      expect.stringMatching(/Harper.*an email came back .* \(5\.1\.1\)$/),
      '1 patient.',
    ]);
    expect(await returnedAt()).toBe(clinic.clock.now());
    const { lines } = await operate(clinic.platform, 'status');
    expect(lines).toContain('  emails do not reach 1 patient (patients list --bounced).');
  });

  test('refuses no booking for it', async () => {
    await bounce(report(addressOf(patient.email)));
    const start = toInstant('2026-11-25', '08:00');
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O' };
    expect((await ask(clinic, 'placeHold', { token, body })).statusCode).toBe(200);
  });

  test.each([
    ['a delay', () => report(addressOf('nell@test.example'), 'Action: delayed'), 'has not failed'],
    ['an answer of a machine', () => `To: ${addressOf('nell@test.example')}\n\nAway`, 'no report'],
    ['a report to nobody', () => report('bounces@harbourview.ca'), 'no report'],
    ['a mark that we did not make', () => report(`b+${'0'.repeat(32)}@h.ca`), 'no account has'],
    ['the mark of another', () => report(addressOf('else@test.example')), 'no account has'],
    ['nothing', () => '', 'no report'],
  ])('marks nothing for %s', async (_, message, why) => {
    expect(await bounce(message())).toContain(why);
    expect(await listed('--bounced')).toEqual(['0 patients.']);
  });

  test('counts no longer once the address is another', async () => {
    await bounce(report(addressOf(patient.email)));
    const email = 'nell.harper@test.example';
    await clinic.database.inTransaction((tx) => updatePatient(tx, patient.id, { email }));
    expect(await returnedAt()).toBeNull();
    expect(await listed('--bounced')).toEqual(['0 patients.']);
  });

  test('is over once a code that was mailed has come back to us', async () => {
    await bounce(report(addressOf(patient.email)));
    const [birthYear, birthMonth, birthDay] = patient.birthDate.split('-').map(Number);
    const { email } = patient;
    const said = { email, birthYear, birthMonth, birthDay, recaptcha: 'ok:1' };
    await ask(clinic, 'validateRecovery', { body: said });
    await ask(clinic, 'sendResetCode', { body: { email } });
    await clinic.platform.outbox.drain();
    const code = /^[A-Z2-9]{8}$/m.exec(clinic.mail.sent.at(-1)?.text ?? '')?.[0] ?? '';
    const body = { email, code, password: 'Another-2026' };
    expect((await ask(clinic, 'resetPassword', { body })).statusCode).toBe(200);
    expect(await findAccount(clinic.database.db, { email })).toMatchObject({ bouncedEmail: null });
  });
});
