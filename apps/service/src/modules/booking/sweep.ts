import type { FastifyInstance } from 'fastify';

import type { Log } from '../../platform/log.ts';

/** Runs a sweep again and again while the service is up; one at a time in this process. */
export function sweepEvery(
  app: FastifyInstance,
  ms: number,
  log: Log,
  sweep: () => Promise<void>,
): void {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let closing = false;
  const plan = () => {
    timer = setTimeout(() => {
      underWay = sweep()
        .catch((error: unknown) => log.trouble('sweep-failed', error))
        .then(() => (closing ? undefined : plan()));
    }, ms);
    timer.unref();
  };
  app.addHook('onReady', async () => plan());
  app.addHook('onClose', async () => {
    closing = true;
    clearTimeout(timer);
    await underWay;
  });
}
