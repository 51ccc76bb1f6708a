import type { Call } from '@clinic/contract';
import { answersOf } from '@clinic/contract';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { EmrOffline, EmrOutcomeUnknown, EmrRefused } from '../modules/records/emr.ts';
import { CommitOutcomeUnknown, DatabaseConflict } from '../database/db.ts';
import type { Log } from './log.ts';
import { type Refusal, RefusedBody, refuse, sendRefusal } from './refusal.ts';
import { failureOf } from '../database/sqlstate.ts';

/** What Fastify itself refuses before a handler is reached. */
const refusalOfFramework: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refuse('wrongMediaType'),
  FST_ERR_CTP_INVALID_TYPE: () => refuse('wrongMediaType'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => refuse('tooLarge'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => refuse('invalidInput', { malformed: true }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => refuse('invalidInput', { malformed: true }),
  FST_ERR_BAD_URL: () => refuse('invalidInput', { malformed: true }),
  FST_ERR_MAX_PARAM_LENGTH: () => refuse('notFound'),
  FST_ERR_ASYNC_CONSTRAINT: () => refuse('notFound'),
};

/** Errors with a meaning -> refusals; the one table for them. Null is a bug. */
export function refusalOfError(error: unknown, call: Call | undefined): Refusal | null {
  if (error instanceof RefusedBody) return error.refusal;
  if (error instanceof EmrOffline || error instanceof EmrRefused) return refuse('recordsOffline');
  if (error instanceof EmrOutcomeUnknown) return refuse('clinicConfirming');
  if (error instanceof CommitOutcomeUnknown) return refuse('serviceBusy');
  if (error instanceof DatabaseConflict && call && answersOf(call).has(409))
    return refuse('slotTaken');
  // A deadlock that no retry ended, where nothing can be taken.
  if (failureOf(error)?.kind === 'retry') return refuse('serviceBusy');
  if (error instanceof DatabaseConflict) return null;
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  // The patient's connection ended within the body; Fastify marks that with 400.
  if (code === 'ECONNRESET' && statusCode === 400)
    return refuse('invalidInput', { malformed: true });
  if (failureOf(error)?.kind === 'unavailable') return refuse('serviceBusy');
  const known = refusalOfFramework[code]?.();
  // Folders and paths that @fastify/static does not serve.
  return known ?? (statusCode === 403 || statusCode === 404 ? refuse('notFound') : null);
}

export function handleErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOfError(error, request.routeOptions.config.call);
    if (refusal === null) {
      log.error('bug', error, placeOf(request));
      return sendRefusal(reply, refuse('bug', { reference: request.id }));
    }
    if (refusal.status === 503) log.error(refusal.code, error, placeOf(request));
    return sendRefusal(reply, refusal);
  });
}

const placeOf = (request: FastifyRequest) => ({
  requestId: request.id,
  route: request.routeOptions.url ?? 'none',
  ...(request.routeOptions.config.call && { call: request.routeOptions.config.call.id }),
});

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
    /** Of a route outside of the contract that is not counted. */
    limit?: 'none';
  }
}
