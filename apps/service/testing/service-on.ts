import { fakeCaptcha } from './captcha-fake.ts';
import { fixedClock } from './clock-fixed.ts';
import { type DatabaseClock, databaseClock } from '../src/database/clock.store.ts';
import type { Emr } from '../src/modules/records/emr.ts';
import type { Platform } from '../src/platform.ts';
import { type Mail, randomIds } from '../src/server/ports.ts';
import { keptReports } from './kept-reports.ts';
import { smtpMail } from '../src/adapters/email-smtp.ts';
import { fakeMail } from './email-fake.ts';
import { buildApp } from '../src/app.ts';
import { type Ending, listen } from '../src/listen.ts';
import { type KeyMaterial, createKeyring } from '../src/security/keyring.ts';
import type { ServiceConfig } from '../src/server/config.ts';
import { type LogOptions, createLog, reportedLog } from '../src/server/log.ts';
import type { Waits } from '../src/database/engine-postgres.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { practicePayments } from './practice-payments.ts';
import { testConfig, unlimitedRates } from './test-config.ts';

export interface ServiceOnOptions {
  readonly databaseUrl: string;
  /** Past a pooler. */
  readonly directUrl?: string;
  /** Shared by all processes on one database. */
  readonly keys: KeyMaterial;
  /** Where it listens; a free one unless said otherwise. */
  readonly port?: number;
  readonly poolSize?: number;
  /** Other than in production. */
  readonly waits?: Waits | undefined;
  readonly config?: Partial<ServiceConfig>;
  /** A moment that stands still; without it the database's clock. */
  readonly now?: number;
  readonly logLevel?: LogOptions['level'];
  /** Takes cards, at the practice gateway. */
  readonly cards?: boolean;
  /** Ends in another way than in production. */
  readonly ending?: Ending | undefined;
  /** A mail server in place of one that keeps all. */
  readonly smtpUrl?: string;
  /** What it has in place of the database's clock, a mail server that keeps all, and no EMR. */
  readonly instead?: Partial<Outside>;
}

interface Outside {
  readonly clock: Pick<DatabaseClock, 'now' | 'stop'>;
  readonly mail: Mail;
  readonly emr: (ports: Pick<Platform, 'database' | 'clock'>) => Emr;
}

/**
 * The whole service on a PostgreSQL database, listening and ending as it does in production; only
 * captcha and mail are fakes. Few accounts do the work of many, so the limits on each are out of the way.
 */
export async function serviceOn(options: ServiceOnOptions): Promise<{ readonly port: number }> {
  const { databaseUrl, directUrl, keys, poolSize = 20, logLevel = 'error' } = options;
  const database = await openDatabase({
    url: databaseUrl,
    directUrl,
    poolSize,
    ...(options.waits ? { waits: options.waits } : {}),
  });
  const { clock: ownClock, mail = mailOf(options), emr = () => null } = options.instead ?? {};
  const clock =
    ownClock ??
    (options.now === undefined
      ? await databaseClock(database)
      : { ...fixedClock(options.now), stop: () => undefined });
  const keyring = createKeyring(keys);
  const reports = keptReports();
  const log = reportedLog(createLog({ level: logLevel, showMessages: true }), reports);
  const app = await buildApp({
    config: testConfig({ rates: unlimitedRates(), ...options.config }),
    database,
    keyring,
    clock,
    ids: randomIds,
    emr: emr({ database, clock }),
    mail,
    captcha: fakeCaptcha(),
    ...(options.cards ? { cardPayments: practicePayments(database, clock).cardPayments } : {}),
    log,
    reports,
  });
  const shutDown = async () => {
    clock.stop();
    await database.close();
  };
  const start = { host: '127.0.0.1', port: options.port ?? 0 };
  await listen(app, start, log, shutDown, options.ending);
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return { port: address.port };
}

const mailOf = ({ smtpUrl }: ServiceOnOptions): Mail =>
  smtpUrl === undefined
    ? fakeMail()
    : smtpMail({ url: smtpUrl, from: 'Test Clinic <booking@clinic.example>' });
