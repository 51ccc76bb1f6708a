import { describe, expect, test } from 'vitest';

import {
  type Oscar,
  OscarFault,
  OscarOffline,
  OscarOutcomeUnknown,
  OscarRefused,
} from '../src/index.ts';
import { type Canned, draft, openCanned, tickler } from './clinic.ts';

const XML = 'text/xml;charset=UTF-8';
const envelope = (inside: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${inside}</soap:Body></soap:Envelope>`;
const answerOf = (operation: string, inside = ''): Canned => ({
  type: XML,
  body: envelope(
    `<ns2:${operation}Response xmlns:ns2="http://ws.oscarehr.org/">${inside}</ns2:${operation}Response>`,
  ),
});
const fault = (code: string, text: string, status = 500): Canned => ({
  status,
  type: XML,
  body: envelope(
    `<soap:Fault><faultcode xmlns:ns1="http://ws.apache.org/wss4j">${code}</faultcode><faultstring>${text}</faultstring></soap:Fault>`,
  ),
});
const page = (status: number): Canned => ({
  status,
  type: 'text/html;charset=utf-8',
  body: '<!doctype html><html lang="en"><head><title>HTTP Status</title></head><body><h1>HTTP Status</h1></body></html>',
});
const restFault = (reason: string): Canned => ({
  status: 500,
  type: 'application/json;charset=UTF-8',
  body: `<ns1:XMLFault xmlns:ns1="http://cxf.apache.org/bindings/xformat"><ns1:faultstring xmlns:ns1="http://cxf.apache.org/bindings/xformat">ca.openosp.openo.webserv.oauth.OAuth1Exception: ${reason}</ns1:faultstring></ns1:XMLFault>`,
});
const databaseDown = fault(
  'soap:Server',
  'Could not open JPA EntityManager for transaction; nested exception is org.hibernate.exception.JDBCConnectionException: Unable to acquire JDBC Connection',
);

/**
 * A client whose OSCAR gives these answers to what is asked with a login, one after another, then what it
 * should. Its token changes with each login.
 */
async function openSaying(...answers: readonly Canned[]) {
  const asked: string[] = [];
  const oscar = await openCanned((_path, body) => {
    const [, operation = 'rest'] = /<soapenv:Body><ws:(\w+)/.exec(body) ?? [];
    asked.push(operation);
    if (operation === 'login2')
      return answerOf(
        'login2',
        `<return><securityId>7</securityId><securityTokenKey>token-${asked.length}</securityTokenKey></return>`,
      );
    const at = asked.filter((each) => each !== 'login2').length - 1;
    if (answers[at] !== undefined || operation === 'rest')
      return answers[at] ?? { body: '{"success":true}' };
    return answerOf(operation, operation === 'addAppointment' ? '<return>5</return>' : '');
  });
  return { oscar, asked };
}

const changes = 'getAppointmentsUpdatedAfterDate';
const since = '2026-11-23T09:00:00';

describe('a token that OSCAR does not take', () => {
  test.each([
    ['Open-O, of any cause', fault('ns1:SecurityError', 'A security error was encountered')],
    [
      'the classic line',
      fault('ns1:FailedAuthentication', 'The security token could not be authenticated'),
    ],
    ['the standard', fault('wsse:InvalidSecurityToken', 'An invalid security token was provided')],
    ['a namespace of its own', fault('x:FailedCheck', 'The signature was invalid')],
    ['CARLOS, with a status', fault('ns1:SecurityError', 'A security error was encountered', 401)],
    ['a server before the body', { status: 401, type: 'text/plain', body: '' }],
  ])('in the words of %s: one new login, one repeat, of a write too', async (_, refusal) => {
    const read = await openSaying(refusal);
    expect(await read.oscar.changedSince(since)).toMatchObject({ appointments: [] });
    expect(read.asked).toEqual(['login2', changes, 'login2', changes]);
    const write = await openSaying(refusal);
    expect(await write.oscar.createAppointment(draft())).toBe('5');
    expect(write.asked).toEqual(['login2', 'addAppointment', 'login2', 'addAppointment']);
  });

  test('after a new login too is refused, and asked no third time', async () => {
    const refusal = fault('ns1:SecurityError', 'A security error was encountered');
    const { oscar, asked } = await openSaying(refusal, refusal);
    const again = oscar.changedSince(since);
    await expect(again).rejects.toThrow(OscarRefused);
    await expect(again).rejects.toThrow('was refused after a new login');
    expect(asked).toEqual(['login2', changes, 'login2', changes]);
  });
});

describe('any other fault', () => {
  const ask = (oscar: Oscar) => oscar.appointmentsOfPatient(draft().demographicNo);
  const patients = 'getAppointmentsForPatient2';
  const odd = fault('soap:Server', 'java.lang.NullPointerException');

  test('has a read log in once and ask again', async () => {
    const { oscar, asked } = await openSaying(odd);
    expect(await ask(oscar)).toEqual([]);
    expect(asked).toEqual(['login2', patients, 'login2', patients]);
  });

  test('that a new login does not end costs no login for a minute', async () => {
    const { oscar, asked } = await openSaying(odd, odd, odd);
    await expect(ask(oscar)).rejects.toThrow(OscarFault);
    await expect(ask(oscar)).rejects.toThrow(OscarFault);
    expect(asked).toEqual(['login2', patients, 'login2', patients, patients]);
  });

  test('leaves a write unknown, which is not repeated', async () => {
    const { oscar, asked } = await openSaying(odd);
    await expect(oscar.createAppointment(draft())).rejects.toThrow(OscarOutcomeUnknown);
    expect(asked).toEqual(['login2', 'addAppointment']);
  });
});

describe('an OSCAR that is not there', () => {
  test.each([
    ['its database is down', databaseDown],
    ['a server that limits requests says so', { status: 429, type: 'text/html', body: '' }],
    ['Tomcat runs without it', page(404)],
    ['a page stands in place of it', page(200)],
    ['its answer ends early', { type: XML, body: '<soap:Envelope xmlns:soap="x"><soap:Body><ret' }],
  ])('is offline by SOAP: %s', async (_, answer) => {
    const { oscar } = await openSaying(answer);
    await expect(oscar.changedSince(since)).rejects.toThrow(OscarOffline);
  });

  test.each([
    ['its database is down', restFault('oauth_authentication_failed')],
    ['a server that limits requests says so', { status: 429, type: 'text/html', body: '' }],
    ['Tomcat runs without it', page(404)],
    ['a page stands in place of it', page(200)],
    ['its answer ends early', { body: '{"success":tr' }],
    [
      'its answer is closed early, and an error follows',
      { body: `{"success":true}${restFault('x').body}` },
    ],
  ])('is offline by REST: %s', async (_, answer) => {
    const { oscar } = await openSaying(answer);
    await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
  });

  test('whose database is down, or that never got it, wrote nothing by REST', async () => {
    for (const answer of [
      restFault('oauth_authentication_failed'),
      page(404),
      { status: 429, body: '' },
    ]) {
      const { oscar } = await openSaying(answer);
      await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarOffline);
    }
  });

  test('is left alone for as long as a 429 says, except by who waits, whose answer does not end it', async () => {
    let now = 0;
    const limited: Canned = { status: 429, body: '', headers: { 'retry-after': '20' } };
    const counted: string[] = [];
    const underWay = Promise.withResolvers<Canned>();
    const spared = await openCanned(
      () => {
        counted.push('asked');
        if (counted.length === 1) return underWay.promise;
        return counted.length === 2 ? limited : { body: '{"success":true}' };
      },
      { now: () => now },
    );
    const first = spared.checkToken();
    await expect.poll(() => counted.length).toBe(1);
    await expect(spared.checkToken()).rejects.toThrow(OscarOffline);
    underWay.resolve({ body: '{"success":true}' });
    await first;
    now = 19_999;
    await expect(spared.checkToken()).rejects.toThrow(OscarOffline);
    await spared.urgent.checkToken();
    await expect(spared.checkToken()).rejects.toThrow(OscarOffline);
    expect(counted).toHaveLength(3);
    now = 20_000;
    await spared.checkToken();
  });
});

test('a 429 after four others is left alone for as long as it says, too', async () => {
  let now = 0;
  const limited: Canned = { status: 429, body: '', headers: { 'retry-after': '60' } };
  let counted = 0;
  const oscar = await openCanned(
    () => {
      counted += 1;
      return limited;
    },
    { now: () => now },
  );
  for (let failure = 0; failure < 5; failure += 1)
    await expect(oscar.urgent.checkToken()).rejects.toThrow(OscarOffline);
  now = 59_999;
  await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
  expect(counted).toBe(5);
});

describe('a token of REST that OSCAR does not take', () => {
  test.each([
    ['invalid_signature', restFault('invalid_signature')],
    ['invalid_consumer', restFault('invalid_consumer')],
    ['a status', { status: 401, body: '' }],
  ])('is refused, and nothing was written: %s', async (_, answer) => {
    const { oscar, asked } = await openSaying(answer, answer);
    await expect(oscar.checkToken()).rejects.toThrow(OscarRefused);
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarRefused);
    expect(asked).toHaveLength(2);
  });
});

test('a list that is due and absent is an error, never an empty list', async () => {
  const { oscar } = await openSaying(answerOf('getAppointment2'), answerOf('getAppointment2'));
  const asked = oscar.appointmentsOfPatient(draft().demographicNo);
  await expect(asked).rejects.toThrow(OscarFault);
  const canned = await openSaying({ body: '{}' });
  await expect(canned.oscar.checkToken()).rejects.toThrow(OscarFault);
});

describe('a list of patients', () => {
  const search = 'searchDemographicsByAttributes';
  const rows = (...numbers: readonly number[]) =>
    answerOf(
      search,
      numbers
        .map(
          (no) => `<return><demographicNo>${no}</demographicNo><headRecord>0</headRecord></return>`,
        )
        .join(''),
    );
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  const card = '9698658215';

  test('is read to its end, and nobody in it is merged into number 0', async () => {
    const { oscar, asked } = await openSaying(rows(...hundred), rows(100, 101));
    expect(await oscar.findByNumber(card)).toEqual([]);
    expect(asked).toEqual(['login2', search, search]);
  });

  test('whose pages are all the same is an error', async () => {
    const { oscar } = await openSaying(rows(...hundred), rows(...hundred));
    await expect(oscar.findByNumber(card)).rejects.toThrow(OscarFault);
  });
});
