import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** A clinic in which something fails that nobody waits for. */
const failing = `
  import Fastify from 'fastify';
  import { serve } from ${JSON.stringify(import.meta.resolve('./listen.ts'))};
  await serve(async () => {
    const log = { error: (code, error) => console.log(code, error.name) };
    const app = Fastify().decorate('beginClosing', () => undefined);
    const clinic = { app, log, close: async () => console.log('closed') };
    return { clinic, start: { host: '127.0.0.1', port: 0 } };
  });
  void Promise.reject(new TypeError('Casey Morgan'));
`;

/** A clinic with work that goes on by itself, as main.ts and main.practice.ts open one. */
const main = (port: number) => `
  import Fastify from 'fastify';
  import { serve } from ${JSON.stringify(import.meta.resolve('./listen.ts'))};
  await serve(async () => {
    setInterval(() => undefined, 1_000);
    const close = async () => console.log('closed');
    const clinic = { app: Fastify(), log: console, close };
    return { clinic, start: { host: '127.0.0.1', port: ${port} } };
  });
`;

test('A process whose port is taken closes what it opened, says so and ends with 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const ended = await run(main(port));
  taken.close();
  expect(ended).toEqual({
    out: 'closed\n',
    err: `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    code: 1,
  });
});

test('A rejection that nobody handles is told, and the process closes and ends with 1', async () => {
  const { out, err, code } = await run(failing);
  expect(out.replace(/:\d+\n/, ':PORT\n')).toBe(
    'Clinic ready at http://127.0.0.1:PORT\nprocess-failed TypeError\nclosed\n',
  );
  expect([err, code]).toEqual(['', 1]);
});

async function run(source: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: import.meta.dirname,
    timeout: 300_000,
  });
  const [out, err, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { out, err, code };
}
