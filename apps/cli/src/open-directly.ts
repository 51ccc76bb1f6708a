import { practiceCards } from '@clinic/practice/payments/practice-gateway.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtInEmr } from '@clinic/service/modules/records/index.ts';
import { altchaCaptcha } from '@clinic/service/adapters/captcha-altcha.ts';
import { databaseClock } from '@clinic/service/database/db.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { practiceMail } from '@clinic/practice/practice-email.ts';
import { smtpMail } from '@clinic/service/adapters/email-smtp.ts';
import {
  demandEnvironment,
  errorReports,
  productionConfig,
  readStart,
  readStripe,
  stripeForm,
  stripePayments,
  type Environment,
} from '@clinic/service/environment.ts';
import { createAudit } from '@clinic/service/security/audit.store.ts';
import { keyFile, keyFileIn, parseKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { createKeyring, reloadingKeyring } from '@clinic/service/security/keyring.ts';
import { createLog, reportedLog } from '@clinic/service/server/log.ts';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { createOutbox } from '@clinic/service/database/outbox.store.ts';
import { PATIENTS_WHO_SIGN_IN } from '@clinic/service/modules/patients/index.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { createRateLimit } from '@clinic/service/server/rate-limit.store.ts';
import { realtimeOfOthers } from '@clinic/service/server/realtime.ts';
import { createSessions } from '@clinic/service/security/sessions.store.ts';
import { practiceConfig } from '@clinic/practice/practice-config.ts';
import { CommandRefused } from './command.ts';

/**
 * The parts of the service without the service: for a command while none runs, and for production,
 * whose database is everybody's. Mails are left in the outbox, which the service sends.
 */
export async function openDirectly(env: Environment, dataDir: string) {
  const inProduction = env.KEYRING !== undefined || env.KEYRING_FILE !== undefined;
  const production = inProduction ? demandEnvironment(env) : null;
  const { publicUrl } = readStart(env);
  const ids = randomIds;
  const ownLog = createLog({ level: 'warn', showMessages: production === null });
  const reports = errorReports(env, { ids, log: ownLog });
  const log = reportedLog(ownLog, reports);
  const url = env.DATABASE_URL;
  // Without its keys a command would write what nobody can verify or read.
  if (production === null && !existsSync(dataDir))
    throw new CommandRefused(
      `There is no clinic: KEYRING and KEYRING_FILE are not set, and ${dataDir} does not exist.`,
    );
  const database = await openDatabase(url === undefined ? { dataDir } : { url, poolSize: 2 });
  const clock = await databaseClock(database);
  const close = async () => {
    clock.stop();
    await database.close();
    await reports.sent();
  };
  try {
    const { KEYRING_FILE: file } = env;
    const namedKeys = file === undefined ? null : keyFile(file, 'KEYRING_FILE');
    const keyStore = production ? namedKeys : keyFileIn(dataDir);
    const keyring = keyStore
      ? reloadingKeyring(keyStore)
      : createKeyring(parseKeyMaterial(env.KEYRING ?? ''));
    const stripe = readStripe(env);
    // The practice gateway's books are in the database: the service hears of them when it looks.
    const practice = { database, keyring, clock, ids, publicUrl };
    const ownCards = production ? null : practiceCards(practice);
    const cardPayments = stripe ? stripePayments(stripe, publicUrl) : ownCards;
    const config = production
      ? productionConfig(production, publicUrl, '')
      : practiceConfig(publicUrl, null);
    const platform: Platform = {
      config: { ...config, ...(stripe && { payments: stripeForm(stripe) }) },
      database,
      keyring,
      ...(keyStore && { keyStore }),
      clock,
      ids,
      emr: builtInEmr(database, keyring),
      mail: production
        ? smtpMail({
            url: production.SMTP_URL,
            from: production.MAIL_FROM,
            replyTo: production.CLINIC_EMAIL,
          })
        : practiceMail(join(dataDir, 'mail.jsonl'), () => clock.now()),
      captcha: altchaCaptcha(database, keyring),
      log,
      reports,
      ...(cardPayments && { cardPayments }),
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
