import fastifyCompress from '@fastify/compress';
import Fastify, { type FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { jobsOf, runJobs } from './jobs.ts';
import { PATIENTS_WHO_BOOK, registerPatients } from './modules/patients/index.ts';
import { registerPrivacy } from './modules/privacy/index.ts';
import { registerBooking, takenTime } from './modules/appointments/index.ts';
import { registerOperations } from './modules/operations/index.ts';
import { registerFeedback } from './modules/feedback/index.ts';
import { registerMedicalProfile } from './modules/immigration/index.ts';
import { registerMessages } from './modules/messages/index.ts';
import { heldPayments, registerPayments } from './modules/payments/index.ts';
import { registerPharmacies } from './modules/pharmacies/index.ts';
import { registerSchedule } from './modules/schedule/index.ts';
import { describeApi } from './server/api-docs.ts';
import { createAudit } from './security/audit.store.ts';
import { answerHealth } from './server/health.ts';
import { handleErrors, refusalOfError } from './server/http-errors.ts';
import { sendRefusal } from './server/http.ts';
import { acceptJsonOnly } from './server/json-body.ts';
import { acceptForms } from './server/multipart.ts';
import { createOutbox } from './database/outbox.store.ts';
import type { Platform, Ports } from './platform.ts';
import { createRateLimit } from './server/rate-limit.store.ts';
import { createMemoryLimit } from './server/rate-limit.ts';
import { refuse } from './server/refusal.ts';
import { observeRequests } from './server/request-hooks.ts';
import { openRealtime, opensSocket } from './server/realtime.ts';
import { createSessions } from './security/sessions.store.ts';
import { serveWebApp } from './server/web-app.ts';

const BODY_LIMIT = 64 * 1024;
/** For a whole request: three files of a phone take minutes. Silence ends a connection sooner. */
const REQUEST_TIMEOUT_MS = 300_000;
const HEADERS_TIMEOUT_MS = 30_000;
const SILENCE_TIMEOUT_MS = 30_000;
const COMPRESS_FROM_BYTES = 1_024;

declare module 'fastify' {
  interface FastifyInstance {
    platform: Platform;
  }
}

/**
 * The whole service on these ports, not yet listening. Tests and bench start it too; `more` adds what
 * exists only in practice.
 */
export async function buildApp(
  ports: Ports,
  more: (app: FastifyInstance) => void = () => undefined,
): Promise<FastifyInstance> {
  const { database, ids, clock, log, keyring, config } = ports;
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, shouldUpgradeCallback: opensSocket },
    exposeHeadRoutes: false,
    // One proxy is believed: what stands before its own entry, the client may have made up.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => ids.uuid(),
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      app.setCommonHeaders(request, reply);
      const unreadable = refuse('invalidInput', { malformed: true });
      void sendRefusal(reply, refusalOfError(error, undefined) ?? unreadable);
    },
  });
  const sessions = createSessions(database, ids);
  const platform: Platform = {
    ...ports,
    sessions,
    appendAudit: createAudit(keyring),
    outbox: createOutbox({ database, clock, ids, log }),
    rateLimit: createRateLimit(database, keyring),
    realtime: openRealtime(app, { sessions, clock, config, log, database }),
  };
  app.decorate('platform', platform);
  app.decorate('callHost', {
    sessions,
    config,
    memoryLimit: createMemoryLimit(),
    registered: new Map(),
  });
  acceptJsonOnly(app);
  acceptForms(app);
  handleErrors(app, log);
  observeRequests(app, platform);
  await app.register(fastifyCompress, {
    globalDecompression: false,
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  });
  await describeApi(app, config.publicUrl);
  answerHealth(app, database, log);
  registerModules(app, platform);
  more(app);
  await serveWebApp(app, config.webRoot);
  await runJobs(app, jobsOf(platform), log);
  return app;
}

/** Wired by hand: what a module needs stands in its parameters. */
function registerModules(app: FastifyInstance, platform: Platform): void {
  registerPatients(app, platform);
  registerOperations(app, platform);
  registerMedicalProfile(app, platform);
  registerPharmacies(app, platform);
  registerFeedback(app, platform);
  registerSchedule(app, { ...platform, takenTime, patientsWhoBook: PATIENTS_WHO_BOOK });
  registerBooking(app, platform, heldPayments(platform));
  registerPayments(app, platform);
  registerMessages(app, platform);
  registerPrivacy(app, platform);
}
