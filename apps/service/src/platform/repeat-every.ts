import type { FastifyInstance } from 'fastify';
import type { Log } from './log.ts';

/** Does something again and again while the service is up; one at a time in this process. */
export function repeatEvery(
  app: FastifyInstance,
  ms: number,
  log: Pick<Log, 'trouble'>,
  work: () => Promise<unknown>,
): void {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let closing = false;
  const plan = () => {
    timer = setTimeout(() => {
      underWay = work()
        .catch((error: unknown) => log.trouble('sweep-failed', error))
        .finally(() => (closing ? undefined : plan()));
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
