import { english } from '@clinic/contract/english';
import { readCatalogues } from '@clinic/texts/catalogues';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { jobsOf, runJobs } from './jobs.ts';
import { PATIENTS_WHO_SIGN_IN, isSilenced, registerAccounts } from './modules/accounts/index.ts';
import { registerPatients } from './modules/patients/index.ts';
import { registerPrivacy } from './modules/privacy/index.ts';
import { registerBooking, takenTime } from './modules/appointments/index.ts';
import { emrBook, registerEmr } from './modules/emr/index.ts';
import { registerOperations } from './modules/operations/index.ts';
import { registerFeedback } from './modules/feedback/index.ts';
import { registerMedicalProfile } from './modules/immigration/index.ts';
import { registerMessages } from './modules/messages/index.ts';
import { heldPayments, registerPayments } from './modules/payments/index.ts';
import { registerPharmacies } from './modules/pharmacies/index.ts';
import { registerSchedule } from './modules/schedule/index.ts';
import { registerStaff } from './modules/staff/index.ts';
import { registerDesk } from './modules/desk/index.ts';
import { describeApi } from './server/api-docs.ts';
import { createAudit } from './security/audit.store.ts';
import { answerHealth } from './server/health.ts';
import { acceptForms } from './server/multipart.ts';
import { observeRequests, observedPort } from './server/observed.ts';
import { createOutbox } from './database/outbox.store.ts';
import { parts } from './sql-parts.ts';
import type { Platform, Ports } from './platform.ts';
import { createRateLimit } from './server/rate-limit.store.ts';
import { createMemoryLimit } from './server/memory-limit.ts';
import { openServer } from './server/requests.ts';
import { openRealtime } from './server/realtime.ts';
import { createSessions } from './security/sessions.store.ts';
import type { Mail } from './server/ports.ts';
import { serveWebApp } from './server/web-app.ts';

const COMPRESS_FROM_BYTES = 1_024;

// Makes the texts ready once per process, however many applications it builds.
readCatalogues(english);

/**
 * Builds the whole service on these ports, not yet listening. Tests and the benchmark use it too; `more`
 * adds what only the practice clinic has.
 */
export async function buildApp(
  ports: Ports,
  more: (app: FastifyInstance) => void = () => undefined,
): Promise<FastifyInstance> {
  const { database, ids, clock, log, keyring, config } = ports;
  const app = openServer(ports);
  observeRequests(app);
  const sessions = createSessions(database, ids, PATIENTS_WHO_SIGN_IN);
  const platform: Platform = {
    ...ports,
    ...observedPorts(ports),
    mail: exceptSilenced(ports, observedPort('mail', ports.mail)),
    parts,
    sessions,
    appendAudit: createAudit(keyring),
    outbox: createOutbox({ database, clock, ids, log, emailsAtOnce: config.mailConnections }),
    rateLimit: createRateLimit(database, keyring),
    realtime: openRealtime(app, { sessions, clock, config, keyring, log, database }),
  };
  app.decorate('platform', platform);
  const goingOn = new Set<Promise<unknown>>();
  app.decorate('callHost', { memoryLimit: createMemoryLimit(), goingOn, registered: new Map() });
  app.addHook('onClose', async () => void (await Promise.all(goingOn)));
  acceptForms(app);
  await app.register(fastifyCompress, {
    globalDecompression: false,
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  });
  describeApi(app, config.publicUrl);
  answerHealth(app, database, log);
  registerModules(app, platform);
  more(app);
  await serveWebApp(app, config);
  // Before the jobs, because hooks run from the last to the first: the jobs have ended by then.
  app.addHook('onClose', () => platform.outbox.stop());
  await runJobs(app, jobsOf(platform), log);
  return app;
}

/** Wraps the ports to other systems so that their calls are counted and traced. */
const observedPorts = ({ emr, cardPayments }: Ports) => ({
  emr: emr && observedPort('emr', emr),
  ...(cardPayments && {
    cardPayments: { ...cardPayments, gateway: observedPort('gateway', cardPayments.gateway) },
  }),
});

/** Emails to staff, and those that tell a mailbox that its account gets another address. */
const NOT_FOR_PATIENTS = /^(?:staff|address-change):/;

/** Sends no email to the mailbox of an account to which nobody may write now (see `addressStanding`). */
const exceptSilenced = ({ database, clock }: Ports, mail: Mail): Mail => ({
  async send(email) {
    const isForPatient = !NOT_FOR_PATIENTS.test(email.key);
    if (isForPatient && (await isSilenced(database.db, email.to, clock.now()))) return;
    await mail.send(email);
  },
});

/** Passes each module its dependencies by hand, as parameters. */
function registerModules(app: FastifyInstance, platform: Platform): void {
  registerAccounts(app, platform);
  registerPatients(app, platform);
  registerOperations(app, platform);
  registerMedicalProfile(app, platform);
  registerPharmacies(app, platform);
  registerFeedback(app, platform);
  registerSchedule(app, { ...platform, takenTime, patientsWhoBook: parts.patients });
  registerBooking(app, platform, { heldPayments: heldPayments(platform), emrBook });
  registerEmr(platform);
  registerPayments(app, platform);
  registerMessages(app, platform);
  registerStaff(app, platform);
  registerDesk(app, platform);
  registerPrivacy(app, platform);
}
