import { toClinic } from '@clinic/domain';
import { join } from 'node:path';
import { altchaCaptcha } from '@clinic/service/adapters/captcha.ts';
import { appointments } from '@clinic/service/modules/appointments/index.ts';
import { emrBook, syncFromEmr } from '@clinic/service/modules/emr/index.ts';
import { expandSchedule } from '@clinic/service/modules/records/index.ts';
import { createLoggedErrorReports } from '@clinic/service/adapters/error-reports.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { practiceMail } from './practice-email.ts';
import { openPracticeEmr, practiceEmrRoutes } from './emr/emr-routes.ts';
import { type StartFakeOscar, connectFakeOscar, startFakeOscar } from './emr/fake-oscar.ts';
import { seedDocuments } from './documents.ts';
import { seedInbox } from './inbox.ts';
import { practiceBank } from './payments/bank-page.ts';
import { practiceCards } from './payments/practice-gateway.ts';
import { buildApp } from '@clinic/service/app.ts';
import { type Job, jobsOf } from '@clinic/service/jobs.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { takeCommands } from '@clinic/cli/command-socket.ts';
import {
  returnUrl,
  stripeForm,
  stripePayments,
  type StripeSettings,
} from '@clinic/service/configure.ts';
import { markKeys } from '@clinic/service/modules/privacy/index.ts';
import { refuseFeePolicy, reportRuntimeZone } from '@clinic/service/open-clinic.ts';
import type { OpenedClinic } from '@clinic/service/listen.ts';
import { lockFolder } from '@clinic/service/server/folder-lock.ts';
import { keyFileIn } from '@clinic/service/security/keyring-file.ts';
import { reloadingKeyring } from '@clinic/service/security/keyring.ts';
import { createLog, reportedLog } from '@clinic/service/server/log.ts';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { DASHBOARD_LOGOUT_PATH, DASHBOARD_PATH, practiceDashboard } from './dashboard-page.ts';
import { practiceConfig } from './practice-settings.ts';
import { practiceClock, practiceRoutes } from './practice-routes.ts';
import { type PracticeClinicName, seedPracticeClinic } from './seed.ts';
import { practiceCodes, seedStaff } from './staff.ts';

export interface PracticeOptions {
  readonly dataDir: string;
  /** The specification's clinic by default; 'fake-oscar' also starts a fake OSCAR. */
  readonly clinic?: PracticeClinicName;
  readonly databaseUrl?: string | undefined;
  readonly publicUrl: string;
  /** Epoch seconds; now by default. */
  readonly startsAt?: number | undefined;
  /** Where it does not run, the clock stands until it is moved; it runs by default. */
  readonly clockRuns?: boolean;
  readonly webRoot: string | null;
  readonly deskRoot?: string | null;
  /** Takes card payments through Stripe instead of the practice gateway. */
  readonly stripe?: StripeSettings | null;
  /** Patients sign in through the stand-in for the clinic's dashboard instead of our own form. */
  readonly dashboard?: boolean;
  /** Uses the practice EMR, in which the clinic's staff can write too. */
  readonly emr?: boolean;
  /** Starts the fake OSCAR of 'fake-oscar'; a child process by default. */
  readonly startOscar?: StartFakeOscar;
  readonly logLevel?: 'info' | 'warn' | 'silent';
}

export interface PracticeClinic extends OpenedClinic {
  /** The address of the fake OSCAR's day sheet, where a person plays the receptionist; null without one. */
  readonly daySheet: string | null;
}

/** Opens the whole practice clinic, seeded and not yet listening. */
export async function openPracticeClinic(options: PracticeOptions): Promise<PracticeClinic> {
  const { dataDir, databaseUrl, publicUrl, webRoot, deskRoot = null } = options;
  const { startOscar = startFakeOscar } = options;
  const clock = practiceClock(
    options.startsAt ?? Math.floor(Date.now() / 1000),
    options.clockRuns ?? true,
  );
  const ownLog = createLog({ level: options.logLevel ?? 'warn', showMessages: true });
  const reports = createLoggedErrorReports((code) => ownLog.event(code));
  const log = reportedLog(ownLog, reports);
  // With PostgreSQL, the folder still holds keys and mail, so this process locks it.
  const unlock = databaseUrl === undefined ? () => undefined : lockFolder(dataDir);
  const database = await openDatabase(
    databaseUrl === undefined ? { dataDir } : { url: databaseUrl },
  ).catch((error: unknown) => {
    unlock();
    throw error;
  });
  let oscar: Awaited<ReturnType<StartFakeOscar>> | null = null;
  const close = async () => {
    await database.close();
    await oscar?.stop();
    unlock();
  };
  try {
    const keyStore = keyFileIn(dataDir);
    const keyring = reloadingKeyring(keyStore);
    await markKeys(database, keyring);
    const mail = practiceMail(join(dataDir, 'mail.jsonl'), () => clock.now());
    const keepSchedule = () => expandSchedule(database, toClinic(clock.now()).date);
    await seedPracticeClinic({ database, keyring, ids: randomIds }, clock.now(), options.clinic);
    await seedStaff({ database, keyring, ids: randomIds }, clock.now());
    await seedInbox({ database, keyring, ids: randomIds }, clock.now());
    await seedDocuments({ database, keyring, ids: randomIds }, clock.now());
    await refuseFeePolicy(database, clock.now());
    reportRuntimeZone(log, clock.now(), process.versions.tz);
    const cards = practiceCards({ database, keyring, clock, ids: randomIds, publicUrl });
    const stripe = options.stripe ?? null;
    oscar = options.clinic === 'fake-oscar' ? await startOscar(toClinic(clock.now()).date) : null;
    const inOscar = oscar && (await connectFakeOscar({ database, keyring, clock }, oscar.base));
    const daySheet = oscar?.page ?? null;
    const practised = options.emr ? await openPracticeEmr(database, keyring) : null;
    const dashboardSecret = keyring.secretFor('practice-dashboard');
    const app = await buildApp(
      {
        config: {
          ...practiceConfig(publicUrl, webRoot),
          deskRoot,
          dashboardSecret,
          ...(oscar && { emrAddresses: [oscar.base] }),
          ...(options.dashboard && standInDashboard(publicUrl)),
          ...(stripe && { payments: stripeForm(stripe) }),
        },
        database,
        keyring,
        keyStore,
        clock,
        ids: randomIds,
        emr: inOscar ?? practised,
        mail,
        captcha: altchaCaptcha(database, keyring),
        keepSchedule,
        log,
        reports,
        cardPayments: stripe ? stripePayments(stripe, publicUrl) : cards,
      },
      (building) => {
        takeCommands(building, building.platform, dataDir);
        const jobs = jobsOf(building.platform);
        const afterAdvance = async () => {
          await keepSchedule();
          await haveDone(jobs, building.platform);
        };
        practiceRoutes(building, { clock, mail, afterAdvance, daySheet });
        practiceCodes(building, clock);
        if (practised) practiceEmrRoutes(building, practised);
        cards.gateway.sendTo(({ body, signature }) =>
          building.inject({
            method: 'POST',
            url: '/webhooks/stripe',
            headers: { 'content-type': 'application/json', 'stripe-signature': signature },
            payload: body,
          }),
        );
        void building.register(practiceBank(cards.gateway, returnUrl(publicUrl)));
        void building.register(practiceDashboard(clock, dashboardSecret));
      },
    );
    // Syncs first, so that the first patients already find times.
    if (inOscar) await syncFromEmr({ ...app.platform, appointments, emrBook }, clock.now());
    return { app, log, close, daySheet };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the jobs do by themselves within 15 seconds; one that fails has its turn again. */
async function haveDone(jobs: readonly Job[], { outbox }: Platform): Promise<void> {
  const soon = jobs.filter(({ lease, everyMs }) => lease !== 'none' && everyMs <= 15_000);
  for (const { work } of soon) await work().catch(() => undefined);
  await outbox.drain('emails');
}

function standInDashboard(publicUrl: string) {
  const dashboardUrl = `${publicUrl}${DASHBOARD_PATH}`;
  return {
    dashboardUrl,
    dashboardLogoutUrl: `${publicUrl}${DASHBOARD_LOGOUT_PATH}`,
    staffDashboardUrl: dashboardUrl,
  };
}
