import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/db.ts';
import type { ReportedLog } from './log.ts';

/**
 * `/healthz` answers while the process runs. `/readyz` answers 200 when patients may be sent here: not while
 * the process closes, nor while its database is silent. It tells the number of errors since the start.
 */
export function answerHealth(
  app: FastifyInstance,
  database: Pick<Database, 'answers'>,
  { errorCounts }: Pick<ReportedLog, 'errorCounts'>,
): void {
  let closing = false;
  app.decorate('beginClosing', () => {
    closing = true;
  });
  app.get('/healthz', { config: { limit: 'none' } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { limit: 'none' } }, async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: 'closing' });
    if (!(await database.answers())) return reply.code(503).send({ status: 'database silent' });
    const errors = [...errorCounts.values()].reduce((sum, count) => sum + count, 0);
    return { status: 'ready', errors };
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes `/readyz` refuse from now on, so that the balancer turns elsewhere before connections end. */
    beginClosing: () => void;
  }
}
