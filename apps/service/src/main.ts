import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demandEnvironment, readStart, StartRefused } from './environment.ts';
import { serve } from './listen.ts';
import { openClinic } from './open-clinic.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));

await serve(async () => {
  const env = demandEnvironment(process.env);
  if (!existsSync(join(webRoot, 'index.html')))
    throw new StartRefused('The web app is not built. Run npm run build first.');
  const start = readStart(env);
  const clinic = await openClinic(env, start.publicUrl, webRoot);
  return { clinic, start };
});
