import {
  type PolicyProblem,
  ZONE_DATA_VERSION,
  addDays,
  firstDisagreement,
  judgeZoneData,
  startOfDay,
  toClinic,
  whyFeesRefused,
} from '@clinic/domain';
import { altchaCaptcha, recaptchaCaptcha } from './adapters/captcha.ts';
import { smtpMail } from './adapters/email-smtp.ts';
import { buildApp } from './app.ts';
import { type DatabaseClock, databaseClock } from './database/clock.store.ts';
import type { Database } from './database/db.ts';
import { openDatabase } from './database/open-database.ts';
import {
  dkimOf,
  errorReports,
  keysOf,
  serviceConfig,
  stripeOf,
  stripePayments,
} from './configure.ts';
import type { OpenedClinic } from './listen.ts';
import { returnAddress } from './modules/accounts/index.ts';
import { openEmr } from './open-emr.ts';
import { markKeys } from './modules/privacy/index.ts';
import { expandSchedule } from './modules/records/index.ts';
import { codesOfInsured, feesOn, knownTypes } from './modules/schedule/index.ts';
import { randomIds } from './server/ports.ts';
import { type Log, type ReportedLog, createLog, reportedLog } from './server/log.ts';
import { StartRefused } from './read-settings.ts';
import type { Settings } from './settings.ts';
import type { Platform } from './platform.ts';

/** Opens production: PostgreSQL, the database's clock, a real mail server; nothing of the practice clinic. */
export async function openClinic(
  settings: Settings,
  webRoot: string,
  deskRoot: string,
): Promise<OpenedClinic> {
  const stripe = stripeOf(settings);
  const config = serviceConfig(settings, webRoot, deskRoot);
  const { publicUrl } = config;
  const { keyStore, keyring } = keysOf(settings);
  const ownLog = createLog({ level: settings.LOG_LEVEL ?? 'info' });
  const reports = errorReports(settings.SENTRY_DSN, ownLog);
  const watching = await startWatching(settings, reportedLog(ownLog, reports));
  const { log } = watching;
  const database = await openDatabase({
    url: settings.DATABASE_URL,
    directUrl: settings.DATABASE_DIRECT_URL,
    replicaUrl: settings.DATABASE_REPLICA_URL,
    onReplica: (standing) => log.event(`database-replica-${standing}`),
    onReached: (how) => log.event(`database.${how}`),
    onLostConnection: () => log.event('database-connection-lost'),
  });
  const clock = await databaseClock(database);
  const { MAIL_BOUNCES_TO: bounces } = settings;
  const mail = smtpMail({
    url: settings.SMTP_URL,
    from: settings.MAIL_FROM,
    replyTo: settings.CLINIC_EMAIL,
    ...dkimOf(settings),
    ...(bounces !== undefined && { returnTo: returnAddress(keyring, bounces) }),
  });
  const { RECAPTCHA_SECRET: secret } = settings;
  const close = async () => {
    clock.stop();
    mail.close();
    await database.close();
    await watching.close();
    await reports.sent();
  };
  try {
    await markKeys(database, keyring);
    await refuseFeePolicy(database, clock.now());
    reportRuntimeZone(log, clock.now(), process.versions.tz);
    const app = await buildApp({
      config,
      database,
      keyring,
      ...(keyStore && { keyStore }),
      clock,
      ids: randomIds,
      emr: await openEmr({ database, keyring, clock, log }, config),
      mail,
      captcha:
        secret === undefined
          ? altchaCaptcha(database, keyring)
          : recaptchaCaptcha({ database, log }, { secret, hostname: new URL(publicUrl).hostname }),
      keepSchedule: () => expandSchedule(database, toClinic(clock.now()).date),
      log,
      reports,
      ...(stripe && { cardPayments: stripePayments(stripe, publicUrl) }),
    });
    await watching.open(app.platform, clock).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    return { app, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const sentences: Readonly<Record<PolicyProblem['code'], string>> = {
  chargeForbidden: 'charges a covered patient, which the Medicare Protection Act forbids',
  chargeInvalid: 'has a charge that is no whole number of cents',
  rowMissing: 'has no row',
  rowTwice: 'has two rows',
};

/** Throws `StartRefused` when the fee table charges for covered care or is faulty; an empty one passes. */
export async function refuseFeePolicy(database: Database, now: number): Promise<void> {
  const rows = await feesOn(database.db, toClinic(now).date);
  if (rows.length === 0) return;
  const problems = whyFeesRefused(rows, codesOfInsured(await knownTypes(database.db)));
  if (problems.length > 0)
    throw new StartRefused(
      `The fee policy cannot stand:\n${problems
        .map(({ type, eligibility, code }) => `  ${type} for ${eligibility} ${sentences[code]}`)
        .join('\n')}`,
    );
}

const WINDOW_DAYS = 91;

/**
 * Compares the runtime's own zone data with the clinic's table over the booking window. Our code never
 * asks the runtime for the zone, but logs, cron and mail libraries do (docs/clinic-time.md).
 */
export function judgeRuntimeZone(now: number, version: string | undefined) {
  const end = startOfDay(addDays(toClinic(now).date, WINDOW_DAYS));
  const found = firstDisagreement(runtimeOffsets(), now - (now % 3600), end);
  return judgeZoneData(ZONE_DATA_VERSION, version, found);
}

/** Logs an event when the runtime's zone data disagree with the clinic's table. */
export function reportRuntimeZone(log: Log, now: number, version: string | undefined): void {
  const judged = judgeRuntimeZone(now, version);
  if (judged !== 'agrees') log.event(`zone-data-${judged}`);
}

/** Minutes east of UTC at an instant, by the runtime's zone data. */
function runtimeOffsets(): (at: number) => number {
  const options: Intl.DateTimeFormatOptions = { timeZoneName: 'longOffset' };
  // The only place that asks the runtime for the zone, in order to check it.
  options.timeZone = 'America/Vancouver';
  const format = new Intl.DateTimeFormat('en-CA', options);
  return (at) => {
    const written = format.format(at * 1000);
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)$/.exec(written) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}

export interface Watching {
  /** A log whose lines are also counted when metrics are set up. */
  readonly log: ReportedLog;
  /** Starts to answer Prometheus. */
  open(platform: Platform, clock: Pick<DatabaseClock, 'skew'>): Promise<void>;
  close(): Promise<void>;
}

/** Starts the metrics and traces that are set up. Call it before the parts that they watch are built. */
export async function startWatching(
  settings: Pick<Settings, 'METRICS_HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  log: ReportedLog,
): Promise<Watching> {
  const { METRICS_HOST: host, METRICS_PORT: port } = settings;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  const closings: (() => Promise<void> | void)[] = [];
  let counted = log;
  let open: Watching['open'] = () => Promise.resolve();
  if (endpoint !== undefined) {
    const { startTraces } = await import('./traces.ts');
    const onLost = (error: unknown) => log.error('traces-lost', error);
    closings.push(startTraces({ endpoint, onLost }).close);
  }
  if (port !== undefined) {
    const { createMetrics, serveMetrics } = await import('./metrics.ts');
    const { contentType, ...metrics } = createMetrics(log);
    counted = metrics.log;
    closings.push(metrics.close);
    open = async (platform, clock) => {
      const tell = () => metrics.tell(platform, clock);
      const server = await serveMetrics({ host, port }, { contentType, tell });
      closings.push(server.close);
    };
  }
  return {
    log: counted,
    open,
    close: async () => {
      for (const each of closings.toReversed()) await each();
    },
  };
}
