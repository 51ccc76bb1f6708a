import closeWithGrace from 'close-with-grace';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from './server/log.ts';

const GRACE_MS = 10_000;
/** A balancer that asks `/readyz` every second has looked elsewhere by then. */
const STILL_ACCEPTING_MS = 2_000;

/** A clinic that is open but for its doors. */
export interface OpenedClinic {
  readonly app: FastifyInstance;
  readonly log: Log;
  readonly close: () => Promise<void>;
}

/** Where it listens. */
interface Start {
  readonly host: string;
  readonly port: number;
}

/**
 * The life of a service process. What keeps it from serving is told, and it ends with 1: whoever
 * watches over it starts another one, and does not take one for well that only lives.
 */
export async function serve(
  open: () => Promise<{ readonly clinic: OpenedClinic; readonly start: Start }>,
): Promise<void> {
  try {
    const { clinic, start } = await open();
    await listen(clinic.app, start, clinic.log, clinic.close);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/**
 * Opens the doors, says so in the last line of the log, and closes them when the process is asked to
 * end: `/readyz` says no, patients are taken for two more seconds, those inside are served, then
 * everything else in `shutDown`; that is done too where the doors cannot be opened.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Start,
  log: Log,
  shutDown: () => Promise<void>,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    await shutDown();
    throw error;
  }
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    if (err) log.error('process-failed', err);
    app.beginClosing();
    if (!err) await pause(STILL_ACCEPTING_MS);
    await app.close();
    await shutDown();
  });
  const address = app.server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  process.stdout.write(`Clinic ready at http://${host}:${bound}\n`);
}
