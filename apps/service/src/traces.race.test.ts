import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { type TestApp, aClinic, aPatient, ask, signIn, testApp } from '../testing/index.ts';
import { charge, privateAppointment } from '../testing/paying.ts';
import { sql } from './database/db.ts';
import { observed, observedPort } from './server/observed.ts';
import { startTraces } from './traces.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number };
}
interface Sent {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly Span[] }[] }[];
}

/** A collector of traces, as OTLP/HTTP has it. */
async function startReceiver() {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url === '/v1/traces') sent.push(body as Sent);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => JSON.stringify(sent),
    spans: () =>
      sent.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let traces: ReturnType<typeof startTraces>;
let clinic: TestApp;
const lost: unknown[] = [];
const onLost = (error: unknown) => void lost.push(error);

beforeEach(async () => {
  lost.length = 0;
  receiver = await startReceiver();
  traces = startTraces({ endpoint: receiver.endpoint, onLost });
});
afterEach(async () => {
  await traces.close();
  await clinic.close();
  await receiver.close();
});
async function open(options: Parameters<typeof testApp>[0] = {}) {
  clinic = await testApp(options);
  await aClinic(clinic);
}

/** All that was traced until now, with the name of what each stands in. */
async function traced() {
  await traces.close();
  const spans = receiver.spans();
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  return spans.map((span) => ({
    ...span,
    inside: span.parentSpanId ? (byId.get(span.parentSpanId)?.name ?? 'unknown') : null,
  }));
}

const start = toInstant('2026-11-23', '08:00');
const booking = { start, end: start + 300, doctor: '101', selectedType: 'O' as const };

describe('A trace', () => {
  test('holds a request with its statements and the calls of the card gateway', async () => {
    await open();
    const token = await signIn(clinic, await aPatient(clinic));
    await charge(clinic, token, privateAppointment());
    const spans = await traced();
    const request = spans.find(({ name }) => name === 'request POST /api/services/charge');
    expect(request?.inside).toBeNull();
    const own = spans.filter(({ traceId }) => traceId === request?.traceId);
    const within = own.filter(({ inside }) => inside === request?.name).map(({ name }) => name);
    expect(within).toContain('gateway createAndConfirm');
    expect(within).toContain('gateway capture');
    expect(within).toContain('statement session-find');
    expect(within).toContain('statement commit');
    // The practice gateway keeps its books in the same database.
    expect(own.filter(({ inside }) => inside === 'gateway capture')).not.toEqual([]);
    expect(own.filter(({ inside }) => inside === 'unknown')).toEqual([]);
  });

  test('holds the calls of the EMR', async () => {
    await open({ emr: fakeEmr() });
    const token = await signIn(clinic, await aPatient(clinic));
    // Over the network, where the body comes later.
    const base = await clinic.app.listen({ host: '127.0.0.1', port: 0 });
    await fetch(`${base}/api/schedule/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      body: JSON.stringify({ ...booking, reason: 'A cough' }),
    });
    const spans = await traced();
    const book = spans.find(({ name }) => name === 'emr book');
    expect(book?.inside).toBe('request POST /api/schedule/create');
  });

  test('holds its own statements, however many others wait for connections', async () => {
    await open();
    const { db } = clinic.database;
    const many = Array.from({ length: 80 }, (_, at) => `number-${at}`);
    await Promise.all(many.map((name) => observed('job', name, () => sql(db, name)`select 1`)));
    const spans = (await traced()).filter(({ name }) => name.startsWith('statement number'));
    expect(spans.map(({ inside }) => inside)).toEqual(
      spans.map(({ name }) => name.replace('statement', 'job')),
    );
    expect(spans).toHaveLength(80);
  });

  test('begins at our door, whatever a browser says of it', async () => {
    await open();
    const theirs = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${theirs}-00f067aa0ba902b7-01` };
    await clinic.app.inject({ url: '/api/services/config', headers });
    const spans = await traced();
    expect(spans.map(({ name }) => name)).toContain('request GET /api/services/config');
    expect(spans.map(({ traceId }) => traceId)).not.toContain(theirs);
  });

  // Shows: S-8
  test('says nothing of anybody, and what failed by the name of its error', async () => {
    await open();
    const said = { email: 'casey.morgan@x.example', firstName: 'Casey', lastName: 'Morgan' };
    const patient = await aPatient(clinic, said);
    const token = await signIn(clinic, patient);
    await ask(clinic, 'createBooking', { token, body: { ...booking, reason: 'A private cough' } });
    await ask(clinic, 'readMessage', { token, params: { id: patient.id } });
    const body = { method: 'email', password: 'x', recaptcha: 'ok:1', email: said.email };
    await ask(clinic, 'login', { body });
    clinic.gateway.retrieve = () => Promise.reject(new RangeError('Casey Morgan'));
    await clinic.platform.cardPayments?.gateway.retrieve('pi_casey').catch(() => undefined);
    const names = (await traced()).map(({ name }) => name);
    expect(names).toContain('request POST /api/schedule/create');
    expect(receiver.text()).toContain('{"key":"error.type","value":{"stringValue":"RangeError"}}');
    for (const private_ of [...Object.values(said), patient.id, 'private', token])
      expect(receiver.text().toLowerCase()).not.toContain(private_.toLowerCase());
  });

  test('that the collector does not take is told, and keeps nobody waiting', async () => {
    await open();
    await receiver.close();
    const { statusCode } = await clinic.app.inject({ url: '/api/services/config' });
    await traces.close();
    expect([statusCode, lost.length > 0]).toEqual([200, true]);
    receiver = await startReceiver();
  });
});

test('Without a collector nothing is traced, and ports are left as they are', async () => {
  await traces.close();
  const mail = { send: () => Promise.resolve() };
  await open();
  expect(observedPort('mail', mail)).toBe(mail);
});
