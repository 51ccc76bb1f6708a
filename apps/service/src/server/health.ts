import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/db.ts';
import { tryToWrite } from '../database/installation.store.ts';
import type { ReportedLog } from './log.ts';
import { RELEASE } from './release.ts';

const PROBE_MS = 1_000;

/**
 * `/healthz` answers while the process runs. `/readyz` answers 200 when patients may be sent here: not while
 * the process closes, nor while its database is silent or takes no writes. It tells its version and the
 * number of errors since the start.
 */
export function answerHealth(
  app: FastifyInstance,
  database: Pick<Database, 'answers' | 'writesRefused' | 'inTransaction'>,
  { errorCounts }: Pick<ReportedLog, 'errorCounts'>,
): void {
  let closing = false;
  let trying: Promise<void> | null = null;
  app.decorate('beginClosing', () => {
    closing = true;
  });

  /** Nobody else may write where nobody is sent here: so this tries itself, once at a time. */
  async function writesRefused() {
    if (database.writesRefused() === null) return null;
    trying ??= tryToWrite(database)
      .catch(() => undefined)
      .finally(() => (trying = null));
    await Promise.race([trying, pause(PROBE_MS, undefined, { ref: false })]);
    return database.writesRefused();
  }

  app.get('/healthz', { config: { limit: 'none' } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { limit: 'none' } }, async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: 'closing' });
    if (!(await database.answers())) return reply.code(503).send({ status: 'database silent' });
    const why = await writesRefused();
    if (why !== null) return reply.code(503).send({ status: `database ${why}` });
    const errors = [...errorCounts.values()].reduce((sum, count) => sum + count, 0);
    return { status: 'ready', version: RELEASE, errors };
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes `/readyz` refuse from now on, so that the balancer turns elsewhere before connections end. */
    beginClosing: () => void;
  }
}
