import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPracticeClinic } from './open-practice-clinic.ts';
import { readClinic } from './seed.ts';
import { readStart, readStripe } from '@clinic/service/environment.ts';
import { serve } from '@clinic/service/listen.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

await serve(async () => {
  const { env } = process;
  const webRoot = join(root, 'apps/web/dist');
  const start = readStart(env);
  const clinicName = readClinic(env.PRACTICE_CLINIC);
  const emr = env.PRACTICE_EMR === 'on';
  const folder = `data${clinicName === 'lengths' ? '-lengths' : ''}${emr ? '-emr' : ''}`;
  const clinic = await openPracticeClinic({
    dataDir: resolve(root, env.DATA_DIR ?? folder),
    clinic: clinicName,
    databaseUrl: env.DATABASE_URL,
    publicUrl: start.publicUrl,
    startsAt: env.PRACTICE_NOW,
    webRoot: existsSync(webRoot) ? webRoot : null,
    stripe: readStripe(env),
    dashboard: env.PRACTICE_DASHBOARD === 'on',
    emr,
    logLevel: env.LOG_LEVEL === 'info' ? 'info' : 'warn',
  });
  return { clinic, start };
});
