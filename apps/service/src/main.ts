import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from './listen.ts';
import { openClinic } from './open-clinic.ts';
import { readSettings, StartRefused } from './read-settings.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));
const deskRoot = fileURLToPath(new URL('../../desk/dist', import.meta.url));

await serve(async () => {
  const settings = readSettings(process.env);
  if (!existsSync(join(webRoot, 'index.html')))
    throw new StartRefused('The web app is not built. Run npm run build first.');
  const clinic = await openClinic(settings, webRoot, deskRoot);
  return { clinic, start: { host: settings.HOST, port: settings.PORT } };
});
