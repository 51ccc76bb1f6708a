import closeWithGrace from 'close-with-grace';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from './platform/log.ts';

const GRACE_MS = 10_000;
/** A balancer that asks `/readyz` every second has looked elsewhere by then. */
const STILL_ACCEPTING_MS = 2_000;

/**
 * Opens the doors, says so in the last line of the log, and closes them when the process is asked to
 * end: `/readyz` says no, patients are taken for two more seconds, those inside are served, then
 * everything else in `shutDown`.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  log: Log,
  shutDown: () => Promise<void>,
): Promise<void> {
  await app.listen({ host, port });
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    if (err) log.trouble('process-failed', err);
    app.beginClosing();
    if (!err) await pause(STILL_ACCEPTING_MS);
    await app.close();
    await shutDown();
  });
  const address = app.server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  process.stdout.write(`Clinic ready at http://${host}:${bound}\n`);
}
