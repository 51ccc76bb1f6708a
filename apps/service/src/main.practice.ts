import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPracticeClinic } from './practice/open-practice-clinic.ts';
import { readStripe } from './card-payments.ts';
import { listen } from './listen.ts';
import { readStart } from './environment.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

try {
  const { env } = process;
  const webRoot = join(root, 'apps/web/dist');
  const { host, port, publicUrl } = readStart(env);
  const clinic = await openPracticeClinic({
    dataDir: resolve(root, env.DATA_DIR ?? 'data'),
    databaseUrl: env.DATABASE_URL,
    publicUrl,
    startsAt: env.PRACTICE_NOW,
    webRoot: existsSync(webRoot) ? webRoot : null,
    zoneDataVersion: process.versions.tz,
    stripe: readStripe(env),
    dashboard: env.PRACTICE_DASHBOARD === 'on',
    logLevel: env.LOG_LEVEL === 'info' ? 'info' : 'warn',
  });
  await listen(clinic.app, { host, port }, clinic.log, clinic.close);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
