import { createHash } from 'node:crypto';
import type { Call } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';

/**
 * The answers of a public call carry a tag, and a browser asks with it: what it has already is not sent
 * again. It asks every time, so that nothing it shows is older than the clinic's own.
 */
export function tagAnswers(app: FastifyInstance, { id }: Pick<Call, 'id'>): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isTagged = request.routeOptions.config.call?.id === id && reply.statusCode === 200;
    if (!isTagged || typeof payload !== 'string') return payload;
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
    reply.headers({ etag: tag, 'cache-control': 'no-cache' });
    if (!tagsOf(request.headers['if-none-match']).includes(tag)) return payload;
    reply.code(304).removeHeader('content-type');
    return '';
  });
}

const tagsOf = (header: string | undefined): string[] =>
  (header ?? '').split(',').map((each) => each.trim());
