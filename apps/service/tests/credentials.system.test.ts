import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { inspect } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recaptchaCaptcha } from '../src/adapters/captcha.ts';
import { smtpMail, smtpServerAnswers } from '../src/adapters/email-smtp.ts';
import { askForConsent, oscarsAt } from '../src/adapters/emr-oscar/connection.ts';
import { createSentryErrorReports } from '../src/adapters/error-reports.ts';
import { createStripeGateway } from '../src/adapters/payments-stripe.ts';
import { keepConnection } from '../src/modules/records/index.ts';
import { emrOn } from '../src/open-emr.ts';
import { createLog } from '../src/server/log.ts';
import { type TestApp, testApp } from '../testing/index.ts';

/**
 * S-19: each adapter signs in, at a server that refuses it, with credentials that are unlike anything else.
 * They are then looked for in errors, the log, URLs and the database.
 */
const canary = (of: string) => `canary-1000-of-${of}`;
const CANARY = /canary-1000-of-[a-z]+/;
const DATES = { from: '2026-11-23', to: '2026-11-24' };

let clinic: TestApp;
let base: string;
let smtpPort: number;
const heard: string[] = [];
const urls: string[] = [];
const webServer = createHttp((request, response) => {
  urls.push(request.url ?? '');
  void textOf(request).then((body) => {
    heard.push(inAnyForm(`${JSON.stringify(request.headers)} ${decodeURIComponent(body)}`));
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'refused' } }));
  });
});
const mailServer = createTcp((socket) => {
  socket.write('220 test\r\n');
  socket.on('data', (chunk) => {
    const line = chunk.toString().trim();
    if (line.startsWith('EHLO')) socket.write('250-test\r\n250 AUTH PLAIN\r\n');
    else {
      heard.push(inAnyForm(line));
      socket.write(line.startsWith('AUTH') ? '535 5.7.8 refused\r\n' : '221 bye\r\n');
    }
  });
  socket.on('error', () => undefined);
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** With all that stands in it as base64 or as hexadecimal bytes read as text, too. */
const inAnyForm = (text: string) =>
  [
    text,
    ...(text.match(/[\w+/]{16,}={0,2}/g) ?? []).map((each) => Buffer.from(each, 'base64')),
    ...(text.match(/(?:[\da-f]{2}){8,}/g) ?? []).map((each) => Buffer.from(each, 'hex')),
  ].join(' ');

beforeAll(async () => {
  clinic = await testApp();
  webServer.listen(0, '127.0.0.1');
  mailServer.listen(0, '127.0.0.1');
  await Promise.all([once(webServer, 'listening'), once(mailServer, 'listening')]);
  base = `http://127.0.0.1:${(webServer.address() as AddressInfo).port}`;
  smtpPort = (mailServer.address() as AddressInfo).port;
});
afterAll(async () => {
  webServer.closeAllConnections();
  webServer.close();
  mailServer.close();
  await clinic.close();
});

const oscarCredentials = {
  client: { key: 'the-client', secret: canary('client') },
  token: { key: 'the-token', secret: canary('token') },
  login: { userName: 'booking', password: canary('login') },
  programId: 1,
  hidden: [],
};
const oscar = () => emrOn(clinic.platform, oscarsAt([base], oscarCredentials), 1);
const stripe = () =>
  createStripeGateway({
    secretKey: canary('stripe'),
    webhookSecret: canary('webhook'),
    returnUrl: 'https://clinic.example/booking/payment/success',
    host: '127.0.0.1',
    port: Number(new URL(base).port),
    protocol: 'http',
  });
const smtpUrl = () => `smtp://clinic:${canary('mail')}@127.0.0.1:${smtpPort}`;
const email = { key: 'k', to: 'a@b.example', subject: 's', text: 't', html: '<p>t' };

// Shows: S-19
test.each([
  ['OSCAR, of its providers', () => oscar().providers()],
  ['OSCAR, of a day', () => oscar().entries(DATES)],
  ['OSCAR, of its templates', () => oscar().dayTemplates(DATES)],
  [
    'OSCAR, of a patient',
    () =>
      oscar().findPatient({
        cardNumber: '9876543217',
        cardProvince: 'BC',
        birthDate: '1984-05-18',
      }),
  ],
  ['OSCAR, for consent', () => askForConsent(base, oscarCredentials, clinic.clock.now())],
  ['Stripe', () => stripe().retrieve('pi_1')],
  ['a mail server', () => smtpMail({ url: smtpUrl(), from: 'a@b.example' }).send(email)],
  ['a mail server, whether it is there', () => smtpServerAnswers(smtpUrl())],
  [
    'Google',
    () =>
      recaptchaCaptcha(clinic.platform, {
        secret: canary('captcha'),
        hostname: 'booking.example',
        verifyUrl: `${base}/siteverify`,
      }).verify('a-proof', clinic.clock.now()),
  ],
  [
    'Sentry',
    async () => {
      const dsn = `${base.replace('//', `//${canary('sentry')}@`)}/1`;
      const lost = Promise.withResolvers<never>();
      createSentryErrorReports({
        dsn,
        newId: () => crypto.randomUUID(),
        now: () => 0,
        onLost: lost.reject,
      }).report({ kind: 'service', code: 'test' });
      return lost.promise;
    },
  ],
] as const)('asking %s gives no credential away where it fails', async (_, ask) => {
  heard.length = 0;
  const ended: unknown = await (ask as () => Promise<unknown>)().catch((error: unknown) => error);
  expect(heard).not.toEqual([]);
  expect(heard.join()).toMatch(CANARY);
  // What only signs never leaves the service.
  for (const { secret } of [oscarCredentials.client, oscarCredentials.token])
    expect(heard.join()).not.toContain(secret);
  const logged: string[] = [];
  const log = createLog({
    showMessages: true,
    destination: { write: (line) => void logged.push(line) },
  });
  log.error('test', ended);
  for (const { code, error } of clinic.log.failures) log.error(code, error);
  expect(inAnyForm(inspect(ended, { depth: 9 }) + logged.join(''))).not.toMatch(CANARY);
  expect(inAnyForm(urls.join(' '))).not.toMatch(CANARY);
});

// Shows: S-19
test('the credentials of the EMR are sealed in the database, and so in a backup', async () => {
  const who = { actor: 'clinic:test', now: clinic.clock.now() };
  await keepConnection(clinic.platform, { id: 'oscar', credentials: oscarCredentials }, who);
  const { db } = clinic.database;
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const table = sql.identifier(name);
    const all = await db.execute<{ row: string }>(sql`select t::text as row from ${table} t`);
    rows.push(...all.rows.map(({ row }) => row));
  }
  const found = rows.join('\n');
  expect(found).toContain('oscar');
  expect(inAnyForm(found)).not.toMatch(CANARY);
});
