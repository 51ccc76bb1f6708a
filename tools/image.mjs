// npm run image:check: builds what the Dockerfile builds, without a container engine. Runs the build stage's
// RUN lines in an empty folder with a copy of the last commit. Then serves from image/, as a user who may not
// write there, on a PostgreSQL server of its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../apps/service/testing/free-port.ts';
import { startPostgresServer } from '../apps/service/testing/postgres-server.ts';
import { smallClinic } from '../apps/service/testing/small-clinic.ts';
import { root } from './node-path.mjs';

const STARTS_WITHIN_MS = 60_000;
/** Debian's `nobody`. Only root can switch to it. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const [buildStage] = readFileSync(join(root, 'Dockerfile'), 'utf8').split(/^FROM (?!.* AS build)/m);
const commands = [...buildStage.matchAll(/^RUN (.+)$/gm)].map(([, command]) => command);

const folder = mkdtempSync(join(tmpdir(), 'clinic-image-'));
chmodSync(folder, 0o755);
const app = join(folder, 'build');
const image = join(folder, 'image');
mkdirSync(app);
let server;
let service;
try {
  shell(`git -C '${root}' archive HEAD | tar -x`, app);
  for (const command of commands) {
    console.log(`RUN ${command}`);
    shell(command, app);
  }
  renameSync(join(app, 'image'), image);
  rmSync(app, { recursive: true });
  shell('chmod -R a-w,a+rX .', image);
  console.log(
    `image/ has ${shell('du -sm . | cut -f1', image).trim()} MB; the base image comes on top`,
  );

  const unwanted = sourcesIn(join(image, 'dist')).filter((path) => /oscar\/fake\//.test(path));
  if (unwanted.length > 0) throw new Error(`The image has ${unwanted.join(', ')}`);

  // The service loads sharp only when somebody uploads a picture.
  shell(`'${process.execPath}' --input-type=module --eval "await import('sharp')"`, image);

  shell(`'${process.execPath}' dist/clinic.mjs --help`, image);

  server = await startPostgresServer();
  const port = await freePort();
  const started = performance.now();
  service = spawn(process.execPath, ['dist/service.mjs'], {
    cwd: image,
    ...NOBODY,
    env: { ...smallClinic(), DATABASE_URL: await server.createDatabase(), PORT: String(port) },
    stdio: 'inherit',
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(`${origin}/readyz`);
  console.log(`serves after ${Math.round(performance.now() - started)} ms`);
  for (const path of ['/login', '/api/services/config', '/api/captcha/challenge']) {
    const { status } = await fetch(origin + path);
    console.log(`${status} ${path}`);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
  service.kill('SIGTERM');
  const [code] = await once(service, 'exit');
  if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`);
  console.log('1 passed, 0 failed');
} finally {
  service?.kill('SIGKILL');
  await server?.stop();
  shell('chmod -R u+w .', folder);
  rmSync(folder, { recursive: true, force: true });
}

function shell(command, cwd) {
  const { status, stdout } = spawnSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return stdout;
}

/** The source files of a bundle in a folder, from its source maps. */
function sourcesIn(folder) {
  const maps = readdirSync(folder).filter((name) => name.endsWith('.map'));
  return maps.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).sources);
}

async function untilReady(url) {
  const end = performance.now() + STARTS_WITHIN_MS;
  while (performance.now() < end) {
    if (service.exitCode !== null) throw new Error(`The service ended with ${service.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} was not 200 within ${STARTS_WITHIN_MS / 1000} s`);
}
