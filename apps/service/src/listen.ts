import closeWithGrace from 'close-with-grace';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from './server/log.ts';

/** How a process ends that was asked to. */
export interface Ending {
  /** Settles once new requests go elsewhere; until then they are accepted. */
  readonly sentElsewhere: () => Promise<unknown>;
  /** The process ends after that, whatever is left. */
  readonly graceMs: number;
}
const ENDING: Ending = {
  // Long enough for a load balancer that asks `/readyz` every second to send patients elsewhere.
  sentElsewhere: () => pause(2_000),
  graceMs: 10_000,
};

/** A service that is ready but does not listen yet. */
export interface OpenedClinic {
  readonly app: FastifyInstance;
  readonly log: Log;
  readonly close: () => Promise<void>;
}

/** Where the service listens. */
interface Start {
  readonly host: string;
  readonly port: number;
}

/**
 * Runs a service process. When it cannot serve, it writes the reason to standard error and exits with 1,
 * so that its supervisor starts another one and does not take an idle process for a healthy one.
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
 * Listens and then writes the 'Clinic ready' line. When the process is asked to end, `/readyz` refuses,
 * new requests are accepted for two more seconds, open requests are answered, and `shutDown` runs. It also
 * runs when the service cannot listen.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Start,
  log: Log,
  shutDown: () => Promise<void>,
  { sentElsewhere, graceMs }: Ending = ENDING,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    await shutDown();
    throw error;
  }
  closeWithGrace({ delay: graceMs, logger: false }, async ({ err }) => {
    if (err) log.error('process-failed', err);
    app.beginClosing();
    if (!err) await sentElsewhere();
    await app.close();
    await shutDown();
  });
  const address = app.server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  process.stdout.write(`Clinic ready at http://${host}:${bound}\n`);
}
