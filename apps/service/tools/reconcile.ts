import { practicePayments } from '@clinic/practice/payments/practice-gateway.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { builtInEmr } from '../src/modules/records/index.ts';
import { databaseClock } from '../src/database/clock-database.ts';
import { randomIds } from '../src/server/ids.ts';
import { errorReports, readStripe, stripePayments } from '../src/card-payments.ts';
import {
  needsOperator,
  paymentPorts,
  reconcile,
  reconcileReport,
} from '../src/modules/payments/index.ts';
import { createAudit } from '../src/security/audit.ts';
import { keyFile, keyMaterialIn, parseKeyMaterial } from '../src/security/keyring-file.ts';
import { type KeyMaterial, createKeyring } from '../src/security/keyring.ts';
import { createLog } from '../src/server/log.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { createOutbox } from '../src/database/outbox.ts';
import { reportedLog } from '../src/server/reported-log.ts';

// npm run reconcile [days]: lays the gateway's books beside ours and settles what differs, as the
// service does every hour. DATABASE_URL with KEYRING, or the practice data folder while the practice
// clinic is stopped; STRIPE_… as for the service. Ends with 1 when an operator has something to do.
const { env } = process;
const dataDir = env.DATA_DIR ?? join(import.meta.dirname, '../../../data');
if (env.DATABASE_URL === undefined && !existsSync(dataDir)) {
  console.error(`There is no database: DATABASE_URL is not set and ${dataDir} does not exist`);
  process.exit(1);
}
const days = process.argv[2] === undefined ? null : Number(process.argv[2]);
if (days !== null && !(days > 0)) {
  console.error('npm run reconcile [days]: how many days to look back; without it, all of them');
  process.exit(1);
}
function materialOf(): KeyMaterial {
  if (env.KEYRING_FILE !== undefined) return keyFile(env.KEYRING_FILE, 'KEYRING_FILE').read();
  return env.KEYRING === undefined ? keyMaterialIn(dataDir) : parseKeyMaterial(env.KEYRING);
}
const database = await openDatabase(
  env.DATABASE_URL === undefined ? { dataDir } : { url: env.DATABASE_URL },
);
const clock = await databaseClock(database);
try {
  const keyring = createKeyring(materialOf());
  const ownLog = createLog({ level: 'warn' });
  const reports = errorReports(env, { ids: randomIds, log: ownLog });
  const log = reportedLog(ownLog, reports);
  const publicUrl = env.PUBLIC_URL ?? 'http://127.0.0.1:3000';
  const practice = practicePayments({
    database,
    keyring,
    clock,
    ids: randomIds,
    reports,
    publicUrl,
    send: () => Promise.resolve(),
  });
  const stripe = readStripe(env);
  const ports = paymentPorts(
    {
      database,
      keyring,
      clock,
      ids: randomIds,
      log,
      emr: builtInEmr(database, keyring),
      appendAudit: createAudit(keyring),
      outbox: createOutbox({ database, clock, ids: randomIds, log }),
    },
    stripe === null ? practice.cardPayments : stripePayments(stripe, publicUrl, reports),
  );
  const report = await reconcile(ports, days === null ? 0 : clock.now() - days * 86_400);
  for (const line of reconcileReport(report)) console.log(line);
  await reports.sent();
  process.exitCode = needsOperator(report) ? 1 : 0;
} finally {
  clock.stop();
  await database.close();
}
