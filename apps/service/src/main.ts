import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartRefused, readStart } from './environment.ts';
import { listen } from './listen.ts';
import { openClinic } from './open-clinic.ts';
import { demandEnvironment } from './production-config.ts';

const webRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../apps/web/dist');

try {
  const env = demandEnvironment(process.env);
  if (!existsSync(join(webRoot, 'index.html')))
    throw new StartRefused('The web app is not built. Run npm run build -w @clinic/web first.');
  const { host, port, publicUrl } = readStart(env);
  const clinic = await openClinic({
    env,
    publicUrl,
    webRoot,
    zoneDataVersion: process.versions.tz,
  });
  await listen(clinic.app, { host, port }, clinic.log, clinic.close);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
