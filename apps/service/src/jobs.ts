import { type ClinicDate, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { type JobRun, noteJobRuns } from './database/job-runs.ts';
import { watchAvailability } from './modules/operations/index.ts';
import { appointments, expireHolds, takenTime } from './modules/appointments/index.ts';
import {
  emrBook,
  type CancelPauses,
  retryCancellations,
  freeUnsent,
  resolveUnknown,
  syncWhenDue,
  watchKeys,
} from './modules/emr/index.ts';
import { workOnClosing } from './modules/closings/index.ts';
import { foldNames, watchMergedCharts } from './modules/patients/index.ts';
import { workOnAddresses } from './modules/accounts/index.ts';
import { paymentPorts, reconcileIfDue, sweepPayments } from './modules/payments/index.ts';
import { sweepSpent } from './modules/privacy/index.ts';
import { watchSlots } from './modules/schedule/index.ts';
import { workOnInvitations } from './modules/desk/index.ts';
import { sealAudit } from './security/audit-chain.store.ts';
import type { Log } from './server/log.ts';
import { observed } from './server/observed.ts';
import type { Platform } from './platform.ts';

/** Work that the service repeats while it runs. */
export interface Job {
  readonly name: string;
  /** From the end of one run to the start of the next: in one process runs of a job never overlap. */
  readonly everyMs: number;
  /**
   * What keeps two processes from doing the same work at once: a lock on the whole job, a lock or lease
   * on each row, or nothing, because each process looks after its own sockets.
   */
  readonly lease: 'job' | 'rows' | 'none';
  /** Also runs once before the service opens; if that run fails, the service does not open. */
  readonly atStart?: boolean;
  readonly work: () => Promise<unknown>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Every repeated job of the service. Only two others repeat work, for their connections: the database's
 * clock (database/clock.store.ts) and its listener (database/engine-postgres.ts).
 */
export function jobsOf(platform: Platform): readonly Job[] {
  const { database, keyring, clock, outbox, realtime, cardPayments, emr, keepSchedule, rateLimit } =
    platform;
  const booking = { ...platform, appointments, emrBook };
  const paying = cardPayments && paymentPorts(platform, cardPayments);
  const slots = watchSlots(platform, takenTime);
  const availability = watchAvailability(platform);
  const cancelPauses: CancelPauses = new Map();
  const now = () => clock.now();
  const startedAt = now();
  const today = () => toClinic(now()).date;
  return noted(platform, [
    job('outbox', SECOND, 'rows', () => outbox.start('emails')),
    job('slots', 2 * SECOND, 'none', () => slots.look()),
    job('patients', 2 * SECOND, 'none', () => realtime.lookAtPatients()),
    job('availability', 5 * SECOND, 'none', () => availability.look()),
    job('lapsed-holds', 15 * SECOND, 'rows', () => expireHolds(booking, now())),
    job('unknown-bookings', 15 * SECOND, 'rows', () => resolveUnknown(booking, now())),
    job('closings', 2 * SECOND, 'rows', () => workOnClosing(booking)),
    job('invitations', 2 * SECOND, 'rows', () => workOnInvitations(platform)),
    ...(emr
      ? [
          job('outbox-emr', SECOND, 'rows', () => outbox.start('forEmr')),
          job('unsent-bookings', 2 * SECOND, 'rows', () => freeUnsent(booking, now())),
          job('emr', 2 * SECOND, 'job', () => syncWhenDue(booking, now())),
          job('emr-keys', 20 * SECOND, 'job', () => watchKeys(platform, now())),
          job('merged-charts', MINUTE, 'job', () => watchMergedCharts(platform, now())),
          job('emr-cancellations', 5 * SECOND, 'rows', () =>
            retryCancellations(booking, now(), cancelPauses),
          ),
        ]
      : []),
    ...(paying
      ? [
          job('payments', 15 * SECOND, 'rows', () => sweepPayments(paying)),
          job('reconcile', HOUR, 'job', () => reconcileIfDue(paying, startedAt)),
        ]
      : []),
    job('audit-seal', 15 * SECOND, 'job', () => sealAudit(database, keyring)),
    job('addresses', MINUTE, 'rows', () => workOnAddresses(platform, now())),
    job('names', 15 * SECOND, 'job', () => foldNames(platform)),
    job('uses-given-back', SECOND, 'none', () => rateLimit.giveBackOwed()),
    job('locked-screens', SECOND, 'none', () => realtime.closeLockedSockets()),
    job('signed-out-sockets', MINUTE, 'none', () => realtime.closeEndedSockets()),
    ...(keepSchedule
      ? [{ ...job('schedule', MINUTE, 'job', onEachDay(today, keepSchedule)), atStart: true }]
      : []),
    job('spent-rows', HOUR, 'rows', () => sweepSpent(platform, now())),
  ]);
}

/** The jobs, and one that notes for `clinic status` when each last ended well. */
function noted({ database, clock }: Platform, jobs: readonly Job[]): readonly Job[] {
  const since = clock.now();
  const run = ({ everyMs }: Job, endedAt: number | null): JobRun => ({
    everySeconds: everyMs / SECOND,
    endedAt,
    since,
  });
  const runs = new Map(jobs.map((each) => [each.name, run(each, null)]));
  return [
    ...jobs.map((each) => ({
      ...each,
      work: async () => {
        await each.work();
        runs.set(each.name, run(each, clock.now()));
      },
    })),
    job('runs-noted', MINUTE, 'rows', () => noteJobRuns(database, runs)),
  ];
}

const job = (name: string, everyMs: number, lease: Job['lease'], work: Job['work']): Job => ({
  name,
  everyMs,
  lease,
  work,
});

/** Does the work once on each day of the clinic; after a failure the next run tries again. */
function onEachDay(today: () => ClinicDate, work: () => Promise<unknown>) {
  let done: ClinicDate | null = null;
  return async () => {
    const day = today();
    if (day === done) return;
    await work();
    done = day;
  };
}

/**
 * Runs the jobs from when the service is ready until it closes; closing waits for runs under way. Resolves
 * after the runs at the start, which are no hook because Fastify gives a hook only ten seconds.
 */
export async function runJobs(app: FastifyInstance, jobs: readonly Job[], log: Log): Promise<void> {
  const running = new Map(jobs.map((job) => [job.name, repeated(job, log)]));
  const stopJob = async (name: string) => running.get(name)?.stop();
  app.decorate('stopJob', stopJob);
  app.addHook('onReady', async () => {
    for (const each of running.values()) each.start();
  });
  app.addHook('onClose', async () => {
    await Promise.all([...running.keys()].map(stopJob));
  });
  for (const { atStart, work } of jobs) if (atStart) await work();
}

function repeated({ name, everyMs, work }: Job, log: Log) {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let stopped = false;
  function start(): void {
    timer = setTimeout(() => {
      underWay = observed('job', name, work)
        .catch((error: unknown) => log.error(`job-failed.${name}`, error))
        .finally(() => (stopped ? undefined : start()));
    }, everyMs);
    timer.unref();
  }
  return {
    start,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Stops a job, for a test that does its work itself. */
    stopJob: (name: string) => Promise<void>;
  }
}
