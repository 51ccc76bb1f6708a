import { formatAppointment } from '@clinic/domain';
import { RELEASE } from '@clinic/service/server/release.ts';
import { NOW } from '@clinic/domain/testing';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestApp, aClinic, aPatient, testApp } from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';
import type { CommandOutput } from './command-output.ts';
import { runCommand } from './commands.ts';
import { emrAddition, emrUnclearRecord, payment } from '@clinic/service/schema.ts';

let clinic: TestApp;
const status = async () => (await operate(clinic.platform, 'status')).lines;
const run = (...statements: string[]) =>
  Promise.all(statements.map((each) => clinic.database.db.execute(sql.raw(each))));

const QUIET = [
  `version: ${RELEASE} runs.`,
  'jobs: none was done yet.',
  'backup: none was restored to try it (npm run clinic -- drill).',
  'mails: 0 waiting, 0 failed.',
  'payments: none needs attention.',
];

beforeEach(async () => {
  clinic = await testApp();
});
afterEach(() => clinic.close());

describe('npm run clinic -- status', () => {
  test('says of a clinic that was just set up all that keeps patients from booking', async () => {
    expect(await status()).toEqual([
      'online, but patients cannot book.',
      'Nobody can book: there are no appointment types (import types).',
      'Nobody can book: no type has a fee yet (import fees).',
      'Nobody can book: no provider is active and shown (import providers).',
      'Nobody can book: no provider works on any day ahead (import schedule).',
      ...QUIET,
    ]);
    await aClinic(clinic);
    expect(await status()).toEqual(['online: patients can book.', ...QUIET]);
  });

  test('says that patients cannot book where they do not reach the service', async () => {
    await aClinic(clinic);
    const lines: CommandOutput[] = [];
    const request = { command: 'status', user: 'robin', given: { texts: {}, flags: [] } };
    const why = 'https://x.ca does not answer (ECONNREFUSED)';
    const seen = async () => ({ why, version: null });
    await runCommand(clinic.platform, request, (line) => lines.push(line), seen);
    expect(lines[0]).toEqual({
      kind: 'line',
      text: 'down: patients cannot book, for https://x.ca does not answer (ECONNREFUSED).',
    });
  });

  test('asks for nothing that an EMR brings', async () => {
    const config = { ...clinic.platform.config, emrAddresses: ['https://oscar.example.ca/oscar'] };
    const { lines } = await operate({ ...clinic.platform, config }, 'status');
    expect(lines.slice(1, 5)).toEqual([
      'Nobody can book: there are no appointment types (import types).',
      'Nobody can book: no type has a fee yet (import fees).',
      "Nobody can book: no doctor of the EMR is shown (front desk, Set-up, Tables, 'Show a doctor to patients').",
      'Nobody can book: no doctor who is shown works on any day ahead in the EMR (emr check).',
    ]);
  });

  test.each([
    ['no type has a fee yet (import fees)', `update fee_policy set valid_from = '2099-01-01'`],
    ['no provider is active and shown (import providers)', `update provider set status = '0'`],
    [
      'no provider is active and shown (import providers)',
      `update provider_policy set hidden = true`,
    ],
    [
      'no provider works on any day ahead (import schedule)',
      `update schedule_day set codes = repeat('_', 288)`,
    ],
    [
      'no provider works on any day ahead (import schedule)',
      `delete from schedule_day where clinic_date >= '2026-11-21'`,
    ],
  ])('tells that %s', async (why, change) => {
    await aClinic(clinic);
    await run(
      `insert into provider_policy (provider_id) select id from provider on conflict do nothing`,
    );
    await run(change);
    const lines = await status();
    expect(lines[0]).toBe('online, but patients cannot book.');
    expect(lines).toContain(`Nobody can book: ${why}.`);
  });

  test('says who alone can book where no cards can be charged', async () => {
    await aClinic(clinic);
    const { cardPayments: _none, ...platform } = clinic.platform;
    expect((await operate(platform, 'status')).lines.slice(0, 2)).toEqual([
      'online: patients can book.',
      'Nobody can book what costs something: no card payments are set up.',
    ]);
  });

  test('counts mails that wait, and names those that have failed by what they were about', async () => {
    const { platform, mail, clock } = clinic;
    const { id } = await aPatient(platform);
    const enqueue = () =>
      clinic.database.inTransaction((tx) =>
        platform.outbox.enqueue(
          tx,
          'account-email',
          { email: 'passwordChanged', patientId: id, at: clock.now() },
          clock.now(),
        ),
      );
    mail.refuses = true;
    const refused = await enqueue();
    for (const minutes of [0, 20, 40]) {
      clock.advance(minutes * 60);
      await platform.outbox.drain();
    }
    const failedAt = clock.now();
    mail.refuses = false;
    mail.down = true;
    await enqueue();
    await platform.outbox.drain();
    expect((await status()).slice(-3)).toEqual([
      'mails: 1 waiting, 1 of them tried in vain, 1 failed (emails send-again).',
      `  refused  ${formatAppointment(failedAt)}  ${refused}  account-email: at ${NOW}, email passwordChanged, patientId ${id}`,
      'payments: none needs attention.',
    ]);
    expect(clinic.log.failures.splice(0).map(({ code }) => code)).toEqual([
      'mail-failed',
      'outbox-failed',
    ]);
    mail.down = false;
    const again = () => operate(platform, 'emails', 'send-again', refused);
    expect((await again()).code).toBe(0);
    expect(await clinic.trail('email sent again')).toMatchObject([{ subject: `email:${refused}` }]);
    await platform.outbox.drain();
    // The other one about the account did not wait longer.
    expect(mail.sent.map(({ key }) => key)).toContain(`account:${refused}`);
    expect(mail.sent).toHaveLength(2);
    expect((await again()).refused).toContain('No such email has failed.');
  });

  test('names the accounts that wait for their chart, with what to do', async () => {
    const own = await aPatient(clinic, {});
    const at = clinic.clock.now();
    await clinic.database.inTransaction((tx) =>
      tx.insert(emrUnclearRecord).values({ recordId: own.recordId, at, why: 'several' }),
    );
    expect((await status()).join('\n')).toMatch(
      new RegExp(
        `sign-ups: 1 account cannot book until staff say.*\\n {2}since .* ${own.id} {2}several charts may be theirs: merge`,
      ),
    );
  });

  test('names what the EMR may have, and counts what is to be done there', async () => {
    const [key, askedAt] = [`document:${crypto.randomUUID()}`, clinic.clock.now()];
    const month = 30 * 86_400;
    await clinic.database.inTransaction(async (tx) => {
      await clinic.platform.outbox.enqueue(tx, 'document-to-emr', { documentId: key }, NOW + month);
      await tx.insert(emrAddition).values([
        { key, askedAt, outcome: 'unknown' },
        { key: 'document:old', askedAt: askedAt - month, outcome: 'refused' },
        { key: 'document:there', askedAt, outcome: 'added' },
        ...Array.from({ length: 20 }, (_, at) => ({
          key: `tickler:moved:${String(at).padStart(2, '0')}`,
          askedAt: askedAt + 60,
          outcome: 'unknown' as const,
        })),
      ]);
    });
    const lines = await status();
    expect(lines.filter((line) => line.includes('tickler:'))).toHaveLength(19);
    expect(lines.filter((line) => !line.includes('tickler:')).slice(-6)).toEqual([
      'emr: 1 change not yet there.',
      'emr: look whether it has these (docs/emr.md):',
      `  perhaps there ${formatAppointment(askedAt)}  ${key}`,
      '  and 1 more',
      ...QUIET.slice(-2),
    ]);
  });

  test('names payments that nothing mends by itself', async () => {
    const id = crypto.randomUUID();
    const row = {
      id,
      patientId: crypto.randomUUID(),
      appointmentId: crypto.randomUUID(),
      amountCents: 7_500,
      state: 'captured' as const,
      reference: 'AB12',
      paymentMethod: 'pm_1',
      createdAt: NOW,
      changedAt: NOW,
    };
    await clinic.database.inTransaction((tx) =>
      tx.insert(payment).values([row, { ...row, id: crypto.randomUUID() }]),
    );
    expect((await status()).at(-1)).toBe('payments: none needs attention.');
    await run(`update payment set alarm = 'refundFailed' where id = '${id}'`);
    expect((await status()).slice(-2)).toEqual([
      'payments: 1 payment to look at (npm run reconcile).',
      `  ${id}  refundFailed`,
    ]);
    const more = Array.from({ length: 20 }, () => ({ ...row, id: crypto.randomUUID() }));
    await clinic.database.inTransaction((tx) =>
      tx.insert(payment).values(more.map((each) => ({ ...each, alarm: 'refundFailed' as const }))),
    );
    const lines = await status();
    expect(lines.slice(-21)[0]).toBe('payments: 20 or more to look at (npm run reconcile).');
  });
});

describe('npm run reconcile', () => {
  test('prints the sums, and ends with 1 while a payment needs a person', async () => {
    expect(await operate(clinic.platform, 'reconcile')).toMatchObject({
      code: 0,
      lines: [
        '0 intents at the gateway, 0 payments here',
        'taken CAD 0.00, given back CAD 0.00',
        'No differences',
      ],
    });
    const unknown = { key: 'k', payment: 'p', amountCents: 7_500 };
    await clinic.gateway.createAndConfirm({
      ...unknown,
      paymentMethod: 'pm_practice_succeeds_1',
    });
    const { code, lines } = await operate(clinic.platform, 'reconcile', '7');
    expect([code, lines.at(-1)]).toEqual([1, '1 differences']);
    expect(lines.join()).toContain('ALARM');
  });

  test.each(['0', 'x'])('looks back no %s days', async (days) => {
    expect(await operate(clinic.platform, 'reconcile', days)).toMatchObject({ code: 1, lines: [] });
  });
});

test('npm run check:invariants names what is not whole, and ends with 1', async () => {
  const whole = await operate(clinic.platform, 'check-invariants');
  expect(whole).toMatchObject({ code: 0, lines: ['All invariants hold.'] });
  await run(
    `insert into appointment_step (provider_id, step_start_s, appointment_id) values ('101', 300, '${crypto.randomUUID()}')`,
  );
  const broken = await operate(clinic.platform, 'check-invariants');
  expect(broken).toMatchObject({ code: 1, refused: '1 violation.' });
  expect(broken.lines[0]).toContain('step 101 300 belongs to nothing that stands');
});
