import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripeOf } from '@clinic/service/configure.ts';
import { serve } from '@clinic/service/listen.ts';
import { openPracticeClinic } from './open-practice-clinic.ts';
import { readPracticeSettings } from './practice-settings.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

await serve(async () => {
  const settings = readPracticeSettings(process.env);
  const webRoot = join(root, 'apps/web/dist');
  const deskRoot = join(root, 'apps/desk/dist');
  const { PRACTICE_CLINIC: clinicName, PRACTICE_EMR: emr, HOST: host, PORT: port } = settings;
  const folder = `data${clinicName === 'lengths' ? '-lengths' : ''}${emr ? '-emr' : ''}`;
  const clinic = await openPracticeClinic({
    dataDir: resolve(root, settings.DATA_DIR ?? folder),
    clinic: clinicName,
    databaseUrl: settings.DATABASE_URL,
    publicUrl: settings.PUBLIC_URL,
    startsAt: settings.PRACTICE_NOW,
    webRoot: existsSync(webRoot) ? webRoot : null,
    deskRoot: existsSync(deskRoot) ? deskRoot : null,
    stripe: stripeOf(settings),
    dashboard: settings.PRACTICE_DASHBOARD,
    emr,
    logLevel: settings.LOG_LEVEL ?? 'warn',
  });
  return { clinic, start: { host, port } };
});
