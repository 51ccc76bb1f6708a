import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demandEnvironment, readStart, StartRefused } from './environment.ts';
import { serve } from './listen.ts';
import { openClinic } from './open-clinic.ts';

const webRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../apps/web/dist');

await serve(async () => {
  const env = demandEnvironment(process.env);
  if (!existsSync(join(webRoot, 'index.html')))
    throw new StartRefused('The web app is not built. Run npm run build -w @clinic/web first.');
  const start = readStart(env);
  const clinic = await openClinic({
    env,
    publicUrl: start.publicUrl,
    webRoot,
    zoneDataVersion: process.versions.tz,
  });
  return { clinic, start };
});
