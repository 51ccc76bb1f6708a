import { toClinic } from '@clinic/domain';
import { altchaCaptcha } from './adapters/captcha-altcha/index.ts';
import { recaptchaCaptcha } from './adapters/captcha-recaptcha/index.ts';
import { databaseClock } from './database/clock-database.ts';
import { builtInEmr, expandSchedule } from './modules/records/index.ts';
import { randomIds } from './server/ids.ts';
import { smtpMail } from './adapters/email-smtp.ts';
import { buildApp } from './app.ts';
import { errorReports, readStripe, stripeForm, stripePayments } from './card-payments.ts';
import { refuseFeePolicy } from './fee-policy-check.ts';
import type { OpenedClinic } from './listen.ts';
import { keyFile, parseKeyMaterial } from './security/keyring-file.ts';
import { reloadingKeyring } from './security/keyring-reload.ts';
import { createKeyring } from './security/keyring.ts';
import { createLog } from './server/log.ts';
import { openDatabase } from './database/open-database.ts';
import { reportedLog } from './server/reported-log.ts';
import {
  type ProductionEnvironment,
  productionConfig,
  readRecaptcha,
} from './production-config.ts';
import { reportRuntimeZone } from './runtime-zone.ts';

export interface ClinicOptions {
  readonly env: ProductionEnvironment;
  readonly publicUrl: string;
  readonly webRoot: string;
  readonly zoneDataVersion: string | undefined;
}

/** Production: PostgreSQL, the database's clock, a real mail server; nothing of the practice clinic. */
export async function openClinic(options: ClinicOptions): Promise<OpenedClinic> {
  const { env, publicUrl, webRoot } = options;
  const stripe = readStripe(env);
  const recaptcha = readRecaptcha(env);
  const config = {
    ...productionConfig(env, publicUrl, webRoot),
    ...(stripe && { payments: stripeForm(stripe) }),
  };
  const keyStore =
    env.KEYRING_FILE === undefined ? null : keyFile(env.KEYRING_FILE, 'KEYRING_FILE');
  const keyring = keyStore
    ? reloadingKeyring(keyStore)
    : createKeyring(parseKeyMaterial(env.KEYRING ?? ''));
  const ownLog = createLog({ level: env.LOG_LEVEL === 'warn' ? 'warn' : 'info' });
  const reports = errorReports(env, { ids: randomIds, log: ownLog });
  const log = reportedLog(ownLog, reports);
  const database = await openDatabase({
    url: env.DATABASE_URL,
    onLostConnection: () => log.event('database-connection-lost'),
  });
  const clock = await databaseClock(database);
  const mail = smtpMail({ url: env.SMTP_URL, from: env.MAIL_FROM, replyTo: env.CLINIC_EMAIL });
  const close = async () => {
    clock.stop();
    mail.close();
    await database.close();
    await reports.sent();
  };
  try {
    await refuseFeePolicy(database, clock.now());
    reportRuntimeZone(log, clock.now(), options.zoneDataVersion);
    const app = await buildApp({
      config,
      database,
      keyring,
      ...(keyStore && { keyStore }),
      clock,
      ids: randomIds,
      emr: builtInEmr(database, keyring),
      mail,
      captcha:
        recaptcha === null
          ? altchaCaptcha(database, keyring)
          : recaptchaCaptcha(
              { database, log },
              { ...recaptcha, hostname: new URL(publicUrl).hostname },
            ),
      keepSchedule: () => expandSchedule(database, toClinic(clock.now()).date),
      log,
      reports,
      ...(stripe && {
        cardPayments: stripePayments(stripe, publicUrl, reports),
      }),
    });
    return { app, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}
