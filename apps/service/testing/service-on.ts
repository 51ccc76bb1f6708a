import { fakeCaptcha } from '../src/adapters/captcha-fake.ts';
import { recordsOnPostgres } from '../src/adapters/clinic-records-postgres/index.ts';
import { fixedClock } from '../src/adapters/clock-fixed.ts';
import { databaseClock } from '../src/adapters/clock-database.ts';
import { randomIds } from '../src/adapters/ids.ts';
import { fakeMail } from '../src/adapters/mail-fake.ts';
import { buildApp } from '../src/app.ts';
import { type KeyMaterial, createKeyring } from '../src/platform/keyring.ts';
import type { ServiceConfig } from '../src/platform/config.ts';
import { type LogOptions, createLog } from '../src/platform/log.ts';
import { openDatabase } from '../src/platform/open-database.ts';
import { testConfig } from './test-config.ts';

export interface ServiceOnOptions {
  readonly databaseUrl: string;
  /** Shared by all processes on one database. */
  readonly keys: KeyMaterial;
  readonly poolSize?: number;
  readonly config?: Partial<ServiceConfig>;
  /** A moment that stands still; without it the database's clock. */
  readonly now?: number;
  readonly logLevel?: LogOptions['level'];
}

export interface RunningService {
  readonly port: number;
  /** `/readyz` says no; requests are still taken. */
  readonly beginClosing: () => void;
  readonly close: () => Promise<void>;
}

/** The whole service on a PostgreSQL database, listening; only captcha and mail are fakes. */
export async function serviceOn(options: ServiceOnOptions): Promise<RunningService> {
  const { databaseUrl, keys, poolSize = 20, logLevel = 'error' } = options;
  const database = await openDatabase({ url: databaseUrl, poolSize });
  const clock =
    options.now === undefined
      ? await databaseClock(database)
      : { ...fixedClock(options.now), stop: () => undefined };
  const keyring = createKeyring(keys);
  const app = await buildApp({
    config: testConfig(options.config),
    database,
    keyring,
    clock,
    ids: randomIds,
    records: recordsOnPostgres(database, keyring),
    mail: fakeMail(),
    captcha: fakeCaptcha(),
    log: createLog({ level: logLevel, showMessages: true }),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return {
    port: address.port,
    beginClosing: () => app.beginClosing(),
    close: async () => {
      await app.close();
      clock.stop();
      await database.close();
    },
  };
}
