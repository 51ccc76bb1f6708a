import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { demandEnvironment, readStart, StartRefused } from './environment.ts';
import { serve } from './listen.ts';
import { openClinic } from './open-clinic.ts';

const webRoot = resolve(import.meta.dirname, '../../../apps/web/dist');

await serve(async () => {
  const env = demandEnvironment(process.env);
  if (!existsSync(join(webRoot, 'index.html')))
    throw new StartRefused('The web app is not built. Run npm run build -w @clinic/web first.');
  const start = readStart(env);
  const clinic = await openClinic(env, start.publicUrl, webRoot);
  return { clinic, start };
});
