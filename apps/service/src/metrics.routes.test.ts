import { drizzle } from 'drizzle-orm/node-postgres';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import {
  type TestApp,
  PASSWORD,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../testing/index.ts';
import { freePort } from '../testing/free-port.ts';
import { charge, practiceCard, privateAppointment } from '../testing/paying.ts';
import { runJobs } from './jobs.ts';
import type { ReplicaStanding } from './database/db.ts';
import { observedPort } from './server/observed.ts';
import { startWatching } from './open-clinic.ts';
import { type Metrics, createMetrics, serveMetrics } from './metrics.ts';
import { emrBook, syncFromEmr, watchKeys } from './modules/emr/index.ts';
import { appointments } from './modules/appointments/store.ts';
import { appointment } from './schema.ts';

let clinic: TestApp;
let metrics: Metrics;
let isSilent: boolean;
let looks: number;
let replica: ReplicaStanding | null;

beforeEach(() => open());
async function open(options: Parameters<typeof testApp>[0] = {}) {
  isSilent = false;
  looks = 0;
  replica = null;
  clinic = await testApp({
    ...options,
    hearing: (log) => {
      metrics = createMetrics(log);
      return metrics.log;
    },
  });
  await aClinic(clinic);
}
afterEach(close);
async function close() {
  metrics.close();
  await clinic.close();
}

/** The database as it is asked for figures: it may be silent, and how often it is asked counts. */
const scrape = () => {
  const { platform } = clinic;
  const { database } = platform;
  const asked = {
    ...platform,
    database: {
      ...database,
      connections: () => ({ open: 7, idle: 4, waiting: 2 }),
      replicaStanding: async () => replica,
      get db() {
        looks += 1;
        if (isSilent) throw new Error('silent');
        return database.db;
      },
    },
  };
  return metrics.tell(asked, { skew: () => -1.5 });
};
/** The samples that begin so, with their values. */
const samples = async (name: string) =>
  (await scrape()).split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'));

const slot = { start: toInstant('2026-11-23', '08:00'), end: toInstant('2026-11-23', '08:05') };
const booking = { ...slot, doctor: '101', selectedType: 'O' as const, reason: 'A cough' };
const aToken = async (over = {}) => signIn(clinic, await aPatient(clinic, over));

describe('Metrics', () => {
  test('tell of requests to book by what became of them, and of refusals by their code', async () => {
    const [first, second] = [await aToken(), await aToken()];
    await ask(clinic, 'createBooking', { token: first, body: booking });
    await ask(clinic, 'createBooking', { token: second, body: booking });
    await ask(clinic, 'createBooking', { token: second, body: { ...booking, doctor: '999' } });
    await charge(clinic, second, privateAppointment());
    const bank = { payment_method_id: practiceCard('needsBank') };
    await charge(clinic, await aToken(), {
      ...privateAppointment(bank),
      start: slot.start + 86_400,
    });
    expect(await samples('clinic_booking_requests_total')).toEqual([
      'clinic_booking_requests_total{outcome="booked"} 2',
      'clinic_booking_requests_total{outcome="conflict"} 1',
      'clinic_booking_requests_total{outcome="refused"} 2',
    ]);
    expect(await samples('clinic_refusals_total')).toContain(
      'clinic_refusals_total{call="createBooking",code="slotTaken"} 1',
    );
  });

  test('tell how long requests took, by the template of their route and the status', async () => {
    await ask(clinic, 'getProvider', { token: await aToken(), params: { id: '101' } });
    expect(await samples('clinic_http_request_duration_seconds_count')).toEqual([
      'clinic_http_request_duration_seconds_count{method="GET",route="/api/doctors/provider/:id",status="200"} 1',
    ]);
  });

  test('tell of sign-ins that failed and of whom a limit stopped', async () => {
    const body = {
      method: 'email',
      email: 'casey@x.example',
      password: 'Wrong-2026',
      recaptcha: '',
    };
    for (let tries = 1; tries <= 5; tries += 1)
      await ask(clinic, 'login', { body: { ...body, recaptcha: `ok:proof-number-${tries}` } });
    expect(await samples('clinic_refusals_total{call="login"')).toEqual([
      'clinic_refusals_total{call="login",code="wrongCredentials"} 4',
      'clinic_refusals_total{call="login",code="tooManyRequests"} 1',
    ]);
  });

  test('tell of holds, payments and the outbox as the database has them', async () => {
    const token = await aToken();
    const { reason: _, ...held } = booking;
    await ask(clinic, 'placeHold', { token, body: held });
    const bank = { payment_method_id: practiceCard('needsBank') };
    await charge(clinic, await aToken(), privateAppointment(bank));
    clinic.clock.advance(45);
    await clinic.database.inTransaction((tx) =>
      clinic.platform.outbox.enqueue(tx, 'appointment-email', {}, clinic.clock.now() - 20),
    );
    const text = await scrape();
    for (const line of [
      'clinic_figures_up 1',
      'clinic_holds 2',
      'clinic_oldest_hold_age_seconds 45',
      'clinic_open_payments{state="requires_action"} 1',
      'clinic_oldest_open_payment_age_seconds{state="requires_action"} 45',
      'clinic_outbox_waiting{kind="appointment-email"} 1',
      'clinic_outbox_late_seconds{kind="appointment-email"} 20',
    ])
      expect(text.split('\n')).toContain(line);
  });

  test('read the figures once for all who ask within seconds, and leave out what a silent database does not tell', async () => {
    await Promise.all([scrape(), scrape()]);
    await scrape();
    const once = looks;
    expect(once).toBeGreaterThan(0);
    await close();
    await open();
    isSilent = true;
    expect(await samples('clinic_holds')).toEqual([]);
    expect(await samples('clinic_figures_up')).toEqual(['clinic_figures_up 0']);
    isSilent = false;
    expect(await samples('clinic_holds')).toEqual(['clinic_holds 0']);
    await close();
    await open();
    await scrape();
    expect(looks).toBe(once);
  });

  test('keep nobody waiting for a database that never answers', async () => {
    const never = { query: () => new Promise(() => undefined) };
    const { platform } = clinic;
    const database = { ...platform.database, db: drizzle({ client: never as never }) };
    const text = await metrics.tell({ ...platform, database }, { skew: () => 0 });
    expect(text).toContain('\nclinic_figures_up 0\n');
  });

  test('tell of jobs, when each was done last and how often it failed', async () => {
    const app = Fastify();
    let turns = 0;
    const work = () => ((turns += 1) === 1 ? Promise.resolve() : Promise.reject(new Error('no')));
    const job = { name: 'planted', everyMs: 1, lease: 'none', work } as const;
    await runJobs(app, [job], clinic.log);
    await app.ready();
    await expect.poll(() => turns).toBeGreaterThan(1);
    await app.close();
    const [success = ''] = await samples(
      'clinic_job_last_success_timestamp_seconds{name="planted"}',
    );
    expect(Number(success.split(' ')[1])).toBeGreaterThan(1_700_000_000);
    expect(await samples('clinic_job_failures_total{name="planted"}')).toEqual([
      `clinic_job_failures_total{name="planted"} ${turns - 1}`,
    ]);
    expect(await samples('clinic_errors_total{code="job')).toEqual([
      `clinic_errors_total{code="job-failed.planted"} ${turns - 1}`,
    ]);
  });

  test('tell of calls of the gateway, and how late its webhooks come', async () => {
    const token = await aToken();
    await charge(clinic, token, privateAppointment());
    const [event] = await clinic.gateway.signedEvents();
    clinic.clock.advance(20);
    await clinic.app.inject({
      method: 'POST',
      url: '/webhooks/stripe',
      headers: { 'stripe-signature': event?.signature ?? '' },
      payload: event?.body ?? '',
    });
    expect(await samples('clinic_dependency_call_duration_seconds_count')).toContain(
      'clinic_dependency_call_duration_seconds_count{dependency="gateway",call="createAndConfirm",error=""} 1',
    );
    const lag = await samples('clinic_webhook_lag_seconds_bucket');
    expect(lag.slice(1, 3)).toEqual([
      'clinic_webhook_lag_seconds_bucket{le="5"} 0',
      'clinic_webhook_lag_seconds_bucket{le="30"} 1',
    ]);
    expect(await samples('clinic_last_webhook_timestamp_seconds')).toEqual([
      `clinic_last_webhook_timestamp_seconds ${clinic.clock.now()}`,
    ]);
  });

  test('tell of a call that failed by the name of its error, also when it failed at once', async () => {
    const atOnce = (): Promise<void> => {
      throw new RangeError('Casey Morgan');
    };
    const mail = observedPort('mail', { send: atOnce });
    expect(() => mail.send()).toThrow('Casey Morgan');
    const later = observedPort('mail', { send: () => Promise.reject(new TypeError('Casey')) });
    await expect(later.send()).rejects.toThrow('Casey');
    const mails = await samples('clinic_dependency_call_duration_seconds_count{dependency="mail"');
    expect(mails.map((line) => /error="(\w+)"/.exec(line)?.[1])).toEqual([
      'RangeError',
      'TypeError',
    ]);
  });

  test('tell of the EMR’s calls, and when all of it was read', async () => {
    await close();
    await open({ emr: fakeEmr() });
    expect(await samples('clinic_emr_last_read_timestamp_seconds')).toEqual([]);
    const ports = {
      ...clinic.platform,
      appointments,
      emrBook,
      heldPayments: { cancel: async () => undefined },
    };
    await syncFromEmr(ports, clinic.clock.now());
    expect(await samples('clinic_dependency_call_duration_seconds_count')).toContain(
      'clinic_dependency_call_duration_seconds_count{dependency="emr",call="changedSince",error=""} 1',
    );
  });

  test('tell how much the EMR is asked, what is left of a minute’s requests, and what it answered', async () => {
    const usage = {
      requests: () => new Map([['getDayWorkSchedule', 60]]),
      budget: () => ({ perMinute: 600, left: 540 }),
      bookings: () => new Map([['taken', 2]] as const),
    };
    await close();
    await open({ emr: { ...fakeEmr(), usage } });
    await samples('clinic_emr');
    expect(await samples('clinic_emr_requests_total')).toEqual([
      'clinic_emr_requests_total{request="getDayWorkSchedule"} 60',
    ]);
    expect(await samples('clinic_emr_requests_a_minute')).toEqual([
      'clinic_emr_requests_a_minute{of="most"} 600',
      'clinic_emr_requests_a_minute{of="left"} 540',
    ]);
    expect(await samples('clinic_emr_bookings_total')).toEqual([
      'clinic_emr_bookings_total{answer="taken"} 2',
    ]);
  });

  test('tell as of when the EMR’s times are, and what it has not confirmed', async () => {
    await close();
    await open({ emr: fakeEmr() });
    const ports = {
      ...clinic.platform,
      appointments,
      emrBook,
      heldPayments: { cancel: async () => undefined },
    };
    const { reason: _, ...held } = booking;
    await ask(clinic, 'placeHold', { token: await aToken(), body: held });
    const now = clinic.clock.now();
    await syncFromEmr(ports, now);
    await clinic.database.inTransaction((tx) => tx.update(appointment).set({ confirming: true }));
    clinic.clock.advance(10);
    expect(await samples('clinic_emr_last_answer_timestamp_seconds')).toEqual([
      `clinic_emr_last_answer_timestamp_seconds ${now}`,
    ]);
    expect(await samples('clinic_emr_overlaps')).toEqual(['clinic_emr_overlaps 0']);
    expect(await samples('clinic_emr_unsettled')).toEqual([
      'clinic_emr_unsettled{what="booking"} 1',
      'clinic_emr_unsettled{what="cancellation"} 0',
    ]);
    expect(await samples('clinic_emr_oldest_unsettled_age_seconds')).toEqual([
      'clinic_emr_oldest_unsettled_age_seconds{what="booking"} 10',
      'clinic_emr_oldest_unsettled_age_seconds{what="cancellation"} 0',
    ]);
  });

  test('tell whether the EMR answers, is silent or refuses, and which key it takes', async () => {
    await close();
    const emr = fakeEmr();
    await open({ emr });
    emr.faults.refuses = ['token'];
    await watchKeys(clinic.platform, clinic.clock.now());
    expect(await samples('clinic_emr_standing')).toEqual([
      'clinic_emr_standing{standing="answers"} 0',
      'clinic_emr_standing{standing="silent"} 0',
      'clinic_emr_standing{standing="refused"} 1',
    ]);
    expect(await samples('clinic_emr_key_taken')).toEqual([
      'clinic_emr_key_taken{key="login"} 1',
      'clinic_emr_key_taken{key="token"} 0',
    ]);
    expect(await samples('clinic_emr_key_ends_soon')).toEqual([
      'clinic_emr_key_ends_soon{key="login"} 0',
      'clinic_emr_key_ends_soon{key="token"} 0',
    ]);
  });

  test('count the events that are worth a look, and no others', async () => {
    const before = await samples('clinic_events_total{code="payment-alarm:mismatch"}');
    const told = ['payment-alarm:mismatch', 'database-connection-lost', 'error-report:x:17'];
    for (const code of told) metrics.log.event(code);
    const text = await scrape();
    // Prometheus sees a counter grow only from a value that it has seen.
    expect(before).toEqual(['clinic_events_total{code="payment-alarm:mismatch"} 0']);
    expect(text).toContain('clinic_events_total{code="payment-alarm:mismatch"} 1\n');
    expect(text).toContain('clinic_events_total{code="database-connection-lost"} 1\n');
    expect(text).not.toContain('error-report');
  });

  test('tell of the process: its connections, its sockets, its clock and its event loop', async () => {
    const text = await scrape();
    for (const line of [
      'clinic_database_pool_connections{state="busy"} 3',
      'clinic_database_pool_connections{state="idle"} 4',
      'clinic_database_pool_connections{state="waiting"} 2',
      'clinic_sockets_open 0',
      'clinic_clock_skew_seconds -1.5',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).toContain('\nnodejs_eventloop_lag_p99_seconds ');
  });

  test('tell whether the replica is read, where there is one', async () => {
    const up = () => samples('clinic_database_replica_up');
    expect(await up()).toEqual([]);
    replica = 'behind';
    expect(await up()).toEqual(['clinic_database_replica_up 0']);
    replica = 'caught-up';
    expect(await up()).toEqual(['clinic_database_replica_up 1']);
  });

  // Shows: S-8
  test('say nothing of anybody', async () => {
    const said = { email: 'casey.morgan@x.example', firstName: 'Casey', lastName: 'Morgan' };
    const patient = await aPatient(clinic, said);
    const token = await signIn(clinic, patient);
    await ask(clinic, 'createBooking', { token, body: { ...booking, reason: 'A private cough' } });
    const body = {
      method: 'email',
      email: said.email,
      password: PASSWORD,
      recaptcha: 'ok:proof-number-1',
    };
    await ask(clinic, 'login', { body });
    await ask(clinic, 'readMessage', { token, params: { id: patient.id } });
    await clinic.app.inject({ url: `/api/casey.morgan/${patient.id}?name=Casey` });
    const text = await scrape();
    expect(text).toContain('clinic_booking_requests_total{outcome="booked"} 1');
    for (const private_ of [...Object.values(said), patient.id, 'private', token])
      expect(text.toLowerCase()).not.toContain(private_.toLowerCase());
  });

  test('are there when a port is set for them, and off unless it is', async () => {
    const none = { METRICS_HOST: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: undefined };
    const off = await startWatching({ ...none, METRICS_PORT: undefined }, clinic.log);
    expect(off.log).toBe(clinic.log);
    await off.close();
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/metrics`;
    const on = await startWatching({ ...none, METRICS_PORT: port }, clinic.log);
    await on.open(clinic.platform, { skew: () => 0 });
    expect(await (await fetch(address)).text()).toContain('clinic_figures_up 1');
    await on.close();
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  test('stand on a port of their own alone', async () => {
    const tell = () => scrape();
    const server = await serveMetrics(
      { host: '127.0.0.1', port: 0 },
      { contentType: metrics.contentType, tell },
    );
    const base = `http://127.0.0.1:${server.port}`;
    const answer = await fetch(`${base}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('\nclinic_holds 0\n');
    expect((await fetch(`${base}/`)).status).toBe(404);
    await server.close();
    const onPublicPort = await clinic.app.inject({ url: '/metrics' });
    expect(onPublicPort.body).not.toContain('clinic_');
  });
});
