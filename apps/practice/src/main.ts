import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripeOf } from '@clinic/service/configure.ts';
import { serve } from '@clinic/service/listen.ts';
import { lockFolder } from '@clinic/service/server/folder-lock.ts';
import { openInTurn } from './open-in-turn.ts';
import { openPracticeClinic } from './open-practice-clinic.ts';
import { practiceFolder, readPracticeSettings } from './practice-settings.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

async function open(env: NodeJS.ProcessEnv) {
  const settings = readPracticeSettings(env);
  const webRoot = join(root, 'apps/web/dist');
  const deskRoot = join(root, 'apps/desk/dist');
  const {
    PRACTICE_CLINIC: clinicName,
    PRACTICE_EMR: emr,
    EMR: oscar,
    HOST: host,
    PORT: port,
  } = settings;
  const folder = resolve(root, practiceFolder(settings));
  if (oscar && settings.DATA_DIR === undefined) empty(folder);
  const clinic = await openPracticeClinic({
    dataDir: folder,
    clinic: oscar ?? clinicName,
    databaseUrl: settings.DATABASE_URL,
    publicUrl: settings.PUBLIC_URL,
    startsAt: settings.PRACTICE_NOW,
    clockRuns: settings.PRACTICE_CLOCK === 'running',
    webRoot: existsSync(webRoot) ? webRoot : null,
    deskRoot: existsSync(deskRoot) ? deskRoot : null,
    stripe: stripeOf(settings),
    dashboard: settings.PRACTICE_DASHBOARD,
    emr,
    logLevel: settings.LOG_LEVEL ?? 'warn',
  });
  if (clinic.daySheet !== null)
    process.stdout.write(`The day sheet of the fake OSCAR is at ${clinic.daySheet}\n`);
  return { clinic, start: { host, port } };
}

if (process.connected) openInTurn((asked) => open({ ...process.env, ...asked }));
else await serve(() => open(process.env));

/** Empties the folder: a fake OSCAR loses its calendar when it ends, so the clinic on it begins anew. */
function empty(folder: string): void {
  if (!existsSync(folder)) return;
  const unlock = lockFolder(folder);
  rmSync(folder, { recursive: true });
  unlock();
}
