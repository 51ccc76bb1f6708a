import type { PaymentAlarm } from '@clinic/domain';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { DatabaseClock } from './database/clock.store.ts';
import { outboxFigures } from './database/outbox.store.ts';
import { holdFigures, unconfirmedInEmr } from './modules/appointments/index.ts';
import { emrHealth, emrStanding, lastSync } from './modules/emr/index.ts';
import { bouncedAccounts } from './modules/accounts/index.ts';
import type { EmrUsage } from './modules/records/emr.ts';
import { paymentFigures } from './modules/payments/index.ts';
import type { Platform } from './platform.ts';
import type { ReportedLog, RequestLine } from './server/log.ts';
import { type Kind, type Operation, channels, secondsSince } from './server/observed.ts';

/** How long figures read from the database are reused. */
const FIGURES_STAY_MS = 5_000;
/** How long a request waits for the database; its figures are left out after that. */
const FIGURES_WITHIN_MS = 2_000;

/** The events of the log that are counted: a limited set, so that the labels stay few. */
const COUNTED_EVENT = /^(payment-alarm:\w+|(emr|database|mail|zone-data)-[\w-]+)$/;

/** Alarms and errors whose first case matters: they start at 0, or Prometheus would not see them grow. */
const ALARMS: readonly PaymentAlarm[] = ['mismatch', 'contradiction', 'moneyLost', 'refundFailed'];
const EVENTS = [
  ...ALARMS.map((alarm) => `payment-alarm:${alarm}`),
  'emr-addition-refused',
  'emr-addition-unknown',
  'emr-cancellation-waits',
  'emr-day-unread',
  'emr-keeps-appointment',
  'emr-lacks-appointment',
  'emr-login-refused',
  'emr-overlap',
  'emr-token-refused',
  'mail-refused',
];
const ERRORS = ['bug', 'mail-failed', 'process-failed'];

/** Codes whose outcome is neither 'refused' nor 'failed'. */
const OUTCOMES: Readonly<Record<string, string>> = {
  booked: 'booked',
  rescheduled: 'booked',
  paymentReceived: 'booked',
  bankApprovalNeeded: 'pending',
  paymentPending: 'pending',
  clinicConfirming: 'pending',
  slotTaken: 'conflict',
};

function bookingOutcome({ call, status, code, answer }: RequestLine): string | null {
  if (call !== 'createBooking' && call !== 'charge') return null;
  return OUTCOMES[code ?? answer ?? ''] ?? (status >= 500 ? 'failed' : 'refused');
}

const gaugesIn =
  (registry: Registry) =>
  <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });

/** Every metric of the service, by its name. Labels hold only our own templates, codes and names. */
function declare(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = gaugesIn(registry);
  const seconds = <Label extends string>(
    name: string,
    { help, labelNames = [], buckets }: { help: string; labelNames?: Label[]; buckets: number[] },
  ) => new Histogram({ name, help, labelNames, buckets, registers });

  return {
    requests: seconds('clinic_http_request_duration_seconds', {
      help: 'Answered requests',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    refusals: counter('clinic_refusals_total', 'Calls that were refused, by why', ['call', 'code']),
    bookings: counter(
      'clinic_booking_requests_total',
      'Requests to book, paid or not: booked, pending, conflict, refused or failed',
      ['outcome'],
    ),
    errors: counter('clinic_errors_total', 'Errors that nobody expected', ['code']),
    events: counter('clinic_events_total', 'Events worth a look, as the log names them', ['code']),
    jobs: seconds('clinic_job_duration_seconds', {
      help: 'Repeated jobs',
      labelNames: ['name'],
      buckets: [0.01, 0.1, 1, 10, 60],
    }),
    jobFailures: counter('clinic_job_failures_total', 'Repeated jobs that failed', ['name']),
    jobSuccess: gauge(
      'clinic_job_last_success_timestamp_seconds',
      'When a repeated job was done last by this process',
      ['name'],
    ),
    calls: seconds('clinic_dependency_call_duration_seconds', {
      help: 'Calls of the EMR, the card gateway and the mail server; error is the name of what went wrong',
      labelNames: ['dependency', 'call', 'error'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30],
    }),
    emrRequests: counter(
      'clinic_emr_requests_total',
      'Requests to the EMR by this process, by what they asked for',
      ['request'],
    ),
    emrBookings: counter(
      'clinic_emr_bookings_total',
      'Bookings by what the EMR answered: taken where staff were first',
      ['answer'],
    ),
    emrBudget: gauge(
      'clinic_emr_requests_a_minute',
      'Requests a minute up to which this process reads, and what is left of them',
      ['of'],
    ),
    webhookLag: seconds('clinic_webhook_lag_seconds', {
      help: 'From what happened at the card gateway until it was told here',
      buckets: [1, 5, 30, 60, 300, 3_600, 86_400],
    }),
    poolWait: seconds('clinic_database_pool_wait_seconds', {
      help: 'Waiting for a connection to the database',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    }),
    pool: gauge(
      'clinic_database_pool_connections',
      'Connections to the database: busy, idle; and who waits for one',
      ['state'],
    ),
    replica: gauge(
      'clinic_database_replica_up',
      'Whether the replica has what the database has; else that is read, and 0',
    ),
    sockets: gauge('clinic_sockets_open', 'Pages of patients that are connected'),
    skew: gauge('clinic_clock_skew_seconds', 'The clock of this host before the database’s'),
    figures: gauge(
      'clinic_figures_up',
      'Whether the database told its figures in time; else they are left out',
    ),
  };
}

/** The metrics that are read from the database on request: every process reports the same values. */
function declareFigures(registry: Registry) {
  const gauge = gaugesIn(registry);
  return {
    holds: gauge('clinic_holds', 'Slots in the hands of patients'),
    holdAge: gauge('clinic_oldest_hold_age_seconds', 'Age of the oldest hold'),
    payments: gauge('clinic_open_payments', 'Payments that are not at their end', ['state']),
    paymentAge: gauge(
      'clinic_oldest_open_payment_age_seconds',
      'How long the oldest payment of a state has been in it',
      ['state'],
    ),
    webhookAt: gauge('clinic_last_webhook_timestamp_seconds', 'When the gateway told something'),
    outbox: gauge('clinic_outbox_waiting', 'What must still be sent or done', ['kind']),
    outboxLate: gauge(
      'clinic_outbox_late_seconds',
      'By how much the longest due of the outbox is late',
      ['kind'],
    ),
    bounced: gauge(
      'clinic_bounced_accounts',
      'Accounts with an address from which an email came back',
    ),
    emrReadAt: gauge(
      'clinic_emr_last_read_timestamp_seconds',
      'When all of the EMR’s schedule was read last',
    ),
    emrAnsweredAt: gauge(
      'clinic_emr_last_answer_timestamp_seconds',
      'As of when what patients see is what the EMR has',
    ),
    emrStanding: gauge(
      'clinic_emr_standing',
      'How the EMR stands to us: 1 for one of answers, silent and refused',
      ['standing'],
    ),
    emrKeys: gauge('clinic_emr_key_taken', 'Whether the EMR takes the login, and the token', [
      'key',
    ]),
    emrKeyEnds: gauge('clinic_emr_key_ends_soon', 'Whether a key ends by itself soon', ['key']),
    emrOverlaps: gauge(
      'clinic_emr_overlaps',
      'Appointments over which staff have put another in the EMR',
    ),
    emrUnsettled: gauge(
      'clinic_emr_unsettled',
      'Bookings and cancellations that the EMR has not confirmed',
      ['what'],
    ),
    emrUnsettledAge: gauge(
      'clinic_emr_oldest_unsettled_age_seconds',
      'How long the oldest of them has waited',
      ['what'],
    ),
  };
}

async function readFigures({ database, clock, emr }: Platform): Promise<string> {
  const now = clock.now();
  const [holds, payments, outbox, bounced, turn, standing, unsettled, health] = await Promise.all([
    holdFigures(database.db, now),
    paymentFigures(database.db, now),
    outboxFigures(database.db, now),
    bouncedAccounts(database.db),
    emr === null ? null : lastSync(database.db),
    emr === null ? null : emrStanding(database.db),
    emr === null ? [] : unconfirmedInEmr(database.db, now),
    emr === null ? null : emrHealth(database.db, now),
  ]);
  const registry = new Registry();
  const figures = declareFigures(registry);
  figures.holds.set(holds.holds);
  figures.holdAge.set(holds.oldestSeconds);
  for (const { state, payments: count, oldestSeconds } of payments.open) {
    figures.payments.set({ state }, count);
    figures.paymentAge.set({ state }, oldestSeconds);
  }
  for (const { kind, waiting, lateSeconds } of outbox) {
    figures.outbox.set({ kind }, waiting);
    figures.outboxLate.set({ kind }, lateSeconds);
  }
  figures.bounced.set(bounced);
  // An event that never happened has no time: its metric is removed, since 0 would be a time.
  if (payments.toldAt === null) figures.webhookAt.remove();
  else figures.webhookAt.set(payments.toldAt);
  if (!turn?.wholeAt) figures.emrReadAt.remove();
  else figures.emrReadAt.set(turn.wholeAt);
  const answeredAt = standing?.answeredAt ?? null;
  if (answeredAt === null) figures.emrAnsweredAt.remove();
  else figures.emrAnsweredAt.set(answeredAt);
  if (standing === null) figures.emrOverlaps.remove();
  else figures.emrOverlaps.set(standing.overlapped);
  for (const each of ['answers', 'silent', 'refused'] as const)
    if (health !== null) figures.emrStanding.set({ standing: each }, Number(health.kind === each));
  for (const { key, state } of health?.keys ?? []) {
    figures.emrKeys.set({ key }, Number(state === 'taken'));
    const doesEnd = health?.ending.some((each) => each.key === key) ?? false;
    figures.emrKeyEnds.set({ key }, Number(doesEnd));
  }
  for (const { what, appointments, oldestSeconds } of unsettled) {
    figures.emrUnsettled.set({ what }, appointments);
    figures.emrUnsettledAge.set({ what }, oldestSeconds);
  }
  return registry.metrics();
}

function tellUsage(
  { emrRequests, emrBookings, emrBudget }: ReturnType<typeof declare>,
  usage: EmrUsage | undefined,
): void {
  emrRequests.reset();
  emrBookings.reset();
  for (const [request, count] of usage?.requests() ?? []) emrRequests.inc({ request }, count);
  for (const [answer, count] of usage?.bookings() ?? []) emrBookings.inc({ answer }, count);
  const budget = usage?.budget() ?? null;
  if (budget === null) return;
  emrBudget.set({ of: 'most' }, budget.perMinute);
  emrBudget.set({ of: 'left' }, budget.left);
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Counts observed operations and, through its `log`, the lines that it passes on to the given log. */
export function createMetrics(log: ReportedLog) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = declare(registry);
  for (const code of EVENTS) metrics.events.inc({ code }, 0);

  const unsubscribes: (() => void)[] = [];
  const onEnd = (kind: Kind, ended: (operation: Operation) => void) => {
    const onMessage = (message: unknown) => ended(message as Operation);
    channels[kind].asyncEnd.subscribe(onMessage);
    unsubscribes.push(() => channels[kind].asyncEnd.unsubscribe(onMessage));
  };
  onEnd('job', (operation) => {
    const { name, error } = operation;
    metrics.jobs.observe({ name }, secondsSince(operation));
    if (error === undefined) metrics.jobSuccess.setToCurrentTime({ name });
    else metrics.jobFailures.inc({ name });
  });
  for (const dependency of ['emr', 'gateway', 'mail'] as const)
    onEnd(dependency, (operation) => {
      const { name: call, error } = operation;
      const wrong = error === undefined ? '' : error instanceof Error ? error.name : 'Error';
      metrics.calls.observe({ dependency, call, error: wrong }, secondsSince(operation));
    });
  onEnd('connection', (operation) => metrics.poolWait.observe(secondsSince(operation)));
  onEnd('webhook', (operation) => metrics.webhookLag.observe(secondsSince(operation)));

  const counting: ReportedLog = {
    ...log,
    request(line) {
      log.request(line);
      const { method, route, status, ms, call = 'none', code } = line;
      metrics.requests.observe({ method, route, status }, ms / 1000);
      if (code !== undefined) metrics.refusals.inc({ call, code });
      const outcome = bookingOutcome(line);
      if (outcome !== null) metrics.bookings.inc({ outcome });
    },
    event(code) {
      log.event(code);
      if (COUNTED_EVENT.test(code)) metrics.events.inc({ code });
    },
  };

  let reading: Promise<string | null> | null = null;
  let known = { text: '', readAt: -Infinity };
  /** The figures of the database, read once for all that ask; '' when it does not answer in time. */
  async function figures(platform: Platform): Promise<string> {
    if (performance.now() - known.readAt < FIGURES_STAY_MS) return known.text;
    reading ??= readFigures(platform)
      .catch(() => null)
      .finally(() => (reading = null));
    const text = await Promise.race([reading, pause(FIGURES_WITHIN_MS, null, { ref: false })]);
    metrics.figures.set(text === null ? 0 : 1);
    if (text !== null) known = { text, readAt: performance.now() };
    return text ?? '';
  }

  return {
    log: counting,
    /** The text for Prometheus. */
    async tell(platform: Platform, clock: Pick<DatabaseClock, 'skew'>): Promise<string> {
      const { open, idle, waiting } = platform.database.connections();
      for (const [state, count] of Object.entries({ busy: open - idle, idle, waiting }))
        metrics.pool.set({ state }, count);
      metrics.sockets.set(platform.realtime.openSockets());
      metrics.skew.set(clock.skew());
      metrics.errors.reset();
      for (const code of ERRORS) metrics.errors.inc({ code }, 0);
      for (const [code, count] of log.errorCounts) metrics.errors.inc({ code }, count);
      tellUsage(metrics, platform.emr?.usage);
      const [replica, ofTheDatabase] = await Promise.all([
        platform.database.replicaStanding().catch(() => null),
        figures(platform),
      ]);
      if (replica === null) metrics.replica.remove();
      else metrics.replica.set(replica === 'caught-up' ? 1 : 0);
      return `${await registry.metrics()}${ofTheDatabase}`;
    },
    contentType: registry.contentType,
    close: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

/** Serves `/metrics` for Prometheus alone, on a port of its own that no patient reaches. */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  { contentType, tell }: { readonly contentType: string; readonly tell: () => Promise<string> },
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    tell().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
