import { existsSync } from 'node:fs';
import { practiceCards } from '@clinic/practice/payments/practice-gateway.ts';
import { practiceConfig, readPracticeSettings } from '@clinic/practice/practice-settings.ts';
import { altchaCaptcha } from '@clinic/service/adapters/captcha.ts';
import {
  errorReports,
  keysIn,
  keysOf,
  serviceConfig,
  stripeForm,
  stripeOf,
  stripePayments,
} from '@clinic/service/configure.ts';
import { databaseClock } from '@clinic/service/database/clock.store.ts';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { createOutbox } from '@clinic/service/database/outbox.store.ts';
import { PATIENTS_WHO_SIGN_IN } from '@clinic/service/modules/accounts/index.ts';
import { emrBesideService } from '@clinic/service/modules/emr/index.ts';
import { PUT_KEYS_BACK, whyKeysRefused } from '@clinic/service/modules/privacy/index.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { type Environment, readSettings } from '@clinic/service/read-settings.ts';
import { createAudit } from '@clinic/service/security/audit.store.ts';
import { keyFileIn } from '@clinic/service/security/keyring-file.ts';
import { createSessions } from '@clinic/service/security/sessions.store.ts';
import { createLog, reportedLog } from '@clinic/service/server/log.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { createRateLimit } from '@clinic/service/server/rate-limit.store.ts';
import { realtimeOfOthers } from '@clinic/service/server/realtime.ts';
import { parts } from '@clinic/service/sql-parts.ts';
import { CommandRefused } from './command.ts';

/** Without the clinic's keys, a command would write data that nobody can verify or read. */
export function refuseWithoutClinic(dataDir: string): void {
  if (!existsSync(dataDir))
    throw new CommandRefused(
      `There is no clinic: KEYRING and KEYRING_FILE are not set, and ${dataDir} does not exist.`,
    );
}

/**
 * Opens the parts of the service without the service itself: for a command while none runs, and in
 * production, where several processes may share the database.
 */
export async function openDirectly(env: Environment, dataDir: string) {
  const isPractice = (env.KEYRING ?? env.KEYRING_FILE) === undefined;
  const production = isPractice ? null : readSettings(env);
  const settings = production ?? readPracticeSettings(env);
  const { DATABASE_URL: url, PUBLIC_URL: publicUrl } = settings;
  const ids = randomIds;
  const ownLog = createLog({ level: 'warn', showMessages: isPractice });
  const reports = errorReports(production?.SENTRY_DSN, ownLog);
  const log = reportedLog(ownLog, reports);
  if (isPractice) refuseWithoutClinic(dataDir);
  const database = await openDatabase(
    url === undefined
      ? { dataDir }
      : { url, directUrl: production?.DATABASE_DIRECT_URL, poolSize: 2 },
  );
  const clock = await databaseClock(database);
  const close = async () => {
    clock.stop();
    await database.close();
    await reports.sent();
  };
  try {
    const { keyStore, keyring } = production ? keysOf(production) : keysIn(keyFileIn(dataDir));
    const why = await whyKeysRefused(database.db, keyring);
    if (why !== null) throw new CommandRefused(`${why} ${PUT_KEYS_BACK}.`);
    const stripe = stripeOf(settings);
    // The practice gateway's books are in the database, where the service finds any change when it looks.
    const ownCards = production
      ? null
      : practiceCards({ database, keyring, clock, ids, publicUrl });
    const cardPayments = stripe ? stripePayments(stripe, publicUrl) : ownCards;
    const config = production
      ? serviceConfig(production, '')
      : { ...practiceConfig(publicUrl, null), ...(stripe && { payments: stripeForm(stripe) }) };
    const platform: Platform = {
      config,
      database,
      keyring,
      ...(keyStore && { keyStore }),
      clock,
      ids,
      emr: await emrBesideService(database.db),
      // Commands send no emails themselves: emails wait in the outbox for the service.
      mail: { send: () => Promise.reject(new Error('Emails are sent by the service')) },
      captcha: altchaCaptcha(database, keyring),
      log,
      reports,
      ...(cardPayments && { cardPayments }),
      parts,
      sessions: createSessions(database, ids, PATIENTS_WHO_SIGN_IN),
      appendAudit: createAudit(keyring),
      outbox: createOutbox({ database, clock, ids, log }),
      rateLimit: createRateLimit(database, keyring),
      realtime: realtimeOfOthers(database),
    };
    return { platform, close };
  } catch (error) {
    await close();
    throw error;
  }
}
