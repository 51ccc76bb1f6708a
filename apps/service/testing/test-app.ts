import { NOW } from '@clinic/domain/testing';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { type FakeCaptcha, fakeCaptcha } from './captcha-fake.ts';
import { type FixedClock, fixedClock } from './clock-fixed.ts';
import { keptReports } from './kept-reports.ts';
import { type FakeMail, fakeMail } from './email-fake.ts';
import { randomIds } from '../src/server/ports.ts';
import { practicePayments } from './practice-payments.ts';
import type { PracticeGateway } from '@clinic/practice/payments/practice-gateway.ts';
import { buildApp } from '../src/app.ts';
import { audit } from '../src/schema.ts';
import type { ServiceConfig } from '../src/server/config.ts';
import type { Database } from '../src/database/db.ts';
import { newKeyMaterial } from '../src/security/keyring-file.ts';
import { type Keyring, createKeyring } from '../src/security/keyring.ts';
import {
  type ErrorReports,
  type Log,
  type ReportedLog,
  type RequestLine,
  reportedLog,
} from '../src/server/log.ts';
import type { Platform, Ports } from '../src/platform.ts';
import { testConfig } from './test-config.ts';
import { testDatabase } from './test-database.ts';

/** Keeps what would be logged. A bug goes to the console too, so that its test fails. */
export interface TestLog extends ReportedLog {
  readonly lines: RequestLine[];
  readonly failures: { readonly code: string; readonly error: unknown }[];
}

export function testLog({
  expectBugs = false,
  reports = keptReports(),
}: { readonly expectBugs?: boolean; readonly reports?: ErrorReports } = {}): TestLog {
  const lines: RequestLine[] = [];
  const failures: TestLog['failures'] = [];
  const log: Log = {
    request: (line) => void lines.push(line),
    error(code, error) {
      failures.push({ code, error });
      if (code === 'bug' && !expectBugs) failLoudly(error);
    },
    event: () => undefined,
  };
  return { ...reportedLog(log, reports), lines, failures };
}

/** A test that logs an error fails (tools/vitest-strict.ts): this is how a bug fails its test. */
function failLoudly(error: unknown): void {
  globalThis.console.error(error);
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly platform: Platform;
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: FixedClock;
  readonly captcha: FakeCaptcha;
  readonly mail: FakeMail;
  readonly log: TestLog;
  /** The practice gateway behind `cardPayments`, unless the test brings its own. */
  readonly gateway: PracticeGateway;
  /** All emails, once the outbox has sent what it may. */
  mails(): Promise<FakeMail['sent']>;
  /** The trail, first to last: all of it, or what one action left there. */
  trail(action?: string): Promise<(typeof audit.$inferSelect)[]>;
  /** Closes the service and opens it again on its database, with other ports. */
  again(ports: TestAppOptions): Promise<TestApp>;
  close(): Promise<void>;
}

export interface TestAppOptions extends Partial<
  Omit<Ports, 'config' | 'clock' | 'captcha' | 'mail' | 'log'>
> {
  readonly config?: Partial<ServiceConfig>;
  /** Epoch seconds; the builders' now unless said otherwise. */
  readonly now?: number;
  /** This test provokes a 500. */
  readonly expectBugs?: boolean;
  /** What hears the log before it is kept. */
  readonly hearing?: (log: ReportedLog) => ReportedLog;
}

/** The whole service on fakes and a database of its own, at a frozen moment. */
export async function testApp({
  config,
  now = NOW,
  expectBugs = false,
  hearing = (log) => log,
  ...ports
}: TestAppOptions = {}): Promise<TestApp> {
  const database = ports.database ?? (await testDatabase());
  const clock = fixedClock(now);
  const captcha = fakeCaptcha();
  const mail = fakeMail();
  const keyring = ports.keyring ?? createKeyring(newKeyMaterial());
  const { gateway, cardPayments, ...practice } = practicePayments(database, clock);
  const reports = ports.reports ?? practice.reports;
  const log = testLog({ expectBugs, reports });
  const app = await buildApp({
    ids: randomIds,
    cardPayments,
    emr: null,
    ...ports,
    config: testConfig(config),
    keyring,
    database,
    clock,
    captcha,
    mail,
    log: hearing(log),
    reports,
  });
  await app.ready();
  // Tests do the work of these themselves, at the moment that they mean.
  const byHand = [
    'outbox',
    'outbox-emr',
    'emr',
    'emr-cancellations',
    'unknown-bookings',
    'unsent-bookings',
  ];
  for (const job of byHand) await app.stopJob(job);
  return {
    app,
    platform: app.platform,
    database,
    keyring,
    clock,
    captcha,
    mail,
    log,
    gateway,
    async mails() {
      await app.platform.outbox.drain();
      return mail.sent;
    },
    trail: (action) =>
      database.db
        .select()
        .from(audit)
        .where(action === undefined ? undefined : eq(audit.action, action))
        .orderBy(audit.id),
    async again(other) {
      await app.close();
      return testApp({ database, keyring, now: clock.now(), ...other });
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
