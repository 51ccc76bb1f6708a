import { resolveTxt } from 'node:dns/promises';
import { stat, statfs } from 'node:fs/promises';
import { ZONE_DATA_VERSION } from '@clinic/domain';
import { smtpServerAnswers } from '@clinic/service/adapters/email-smtp.ts';
import type { Db } from '@clinic/service/database/db.ts';
import { jobRuns } from '@clinic/service/database/job-runs.ts';
import { type Standing, standingOf } from '@clinic/service/database/migrate.ts';
import { lookAt } from '@clinic/service/database/open-database.ts';
import { reachOf } from '@clinic/service/database/pooler.ts';
import { type ReplicaFacts, replicaFacts } from '@clinic/service/database/replica.store.ts';
import { type ServerFacts, serverFacts } from '@clinic/service/database/server-facts.store.ts';
import { unconfirmedInEmr } from '@clinic/service/modules/appointments/index.ts';
import {
  type EmrHealth,
  type EmrStanding,
  emrHealth,
  emrStanding,
} from '@clinic/service/modules/emr/index.ts';
import { type SignUpsToSeeTo, signUpsToSeeTo } from '@clinic/service/modules/patients/index.ts';
import { webhookStanding } from '@clinic/service/modules/payments/index.ts';
import { whyKeysRefused } from '@clinic/service/modules/privacy/index.ts';
import { judgeRuntimeZone } from '@clinic/service/open-clinic.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import { type Drill, lastDrill } from './drill.ts';
import { type SeenFromOutside, lookFromOutside } from './from-outside.ts';

/** What the doctor examines apart from the settings. */
export interface Surroundings {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly isPooled: (url: string) => Promise<boolean>;
  readonly replica: (url: string, replicaUrl: string) => Promise<ReplicaFacts>;
  /** `since` in epoch seconds. */
  readonly database: (url: string, since: number) => Promise<DatabaseFacts>;
  /** What this keyring cannot open in the database, in a sentence; null when it opens everything. */
  readonly whyKeysRefused: (url: string, keyring: Keyring) => Promise<string | null>;
  readonly outside: (publicUrl: string) => Promise<SeenFromOutside>;
  /** The release of our zone table, and how the runtime's zone data compares. */
  readonly zone: () => { readonly release: string; readonly runtime: string };
  /** Rejects when the mail server refuses the connection or the credentials. */
  readonly mailServer: (url: string) => Promise<unknown>;
  /** The TXT records of a name; empty when there is no such name. */
  readonly dnsTexts: (name: string) => Promise<readonly string[]>;
  /** When a file was last written, in epoch milliseconds. */
  readonly writtenAt: (file: string) => Promise<number>;
  /** The share of the installation's disk that is in use, from 0 to 1. */
  readonly diskInUse: () => Promise<number>;
}

export interface DatabaseFacts extends ServerFacts {
  readonly standing: Standing;
  /** Null where the database is not ready to be asked. */
  readonly clinic: ClinicFacts | null;
}

/** What the database says of the clinic. */
export interface ClinicFacts {
  /** `settled`: whether money moved since then; `heard`: whether the card provider told us of any. */
  readonly settled: boolean;
  readonly heard: boolean;
  /** Null when no EMR was ever synced with. `waiting` is what the EMR has not confirmed. */
  readonly emr: (EmrStanding & { readonly waiting: Unsettled; readonly health: EmrHealth }) | null;
  readonly signUps: SignUpsToSeeTo;
  readonly jobs: Awaited<ReturnType<typeof jobRuns>>;
  readonly drill: Drill | null;
}
type Unsettled = Awaited<ReturnType<typeof unconfirmedInEmr>>;

const clinicFacts = async (db: Db, since: number): Promise<ClinicFacts> => ({
  ...(await webhookStanding(db, since)),
  emr: await emrFacts(db),
  signUps: await signUpsToSeeTo(db),
  jobs: await jobRuns(db),
  drill: await lastDrill(db),
});

async function emrFacts(db: Db): Promise<ClinicFacts['emr']> {
  const standing = await emrStanding(db);
  if (standing === null) return null;
  const now = Math.floor(Date.now() / 1000);
  const [waiting, health] = [await unconfirmedInEmr(db, now), await emrHealth(db, now)];
  return { ...standing, waiting, health };
}

/** The real surroundings: the machine that runs this. */
export function surroundings(root: string): Surroundings {
  return {
    now: () => Date.now(),
    isPooled: async (url) => (await reachOf(url)).kind === 'pooler',
    replica: (url, replicaUrl) =>
      lookAt(url, (primary) =>
        lookAt(replicaUrl, (replica) => replicaFacts(primary, async () => replica)),
      ),
    database: (url, since) =>
      lookAt(url, async (db) => {
        const server = await serverFacts(db);
        const standing: Standing = server.schema === null ? { kind: 'new' } : await standingOf(db);
        return {
          ...server,
          standing,
          clinic: standing.kind === 'ready' ? await clinicFacts(db, since) : null,
        };
      }),
    whyKeysRefused: (url, keyring) => lookAt(url, (db) => whyKeysRefused(db, keyring)),
    outside: lookFromOutside,
    zone: () => ({
      release: ZONE_DATA_VERSION,
      runtime: judgeRuntimeZone(Math.floor(Date.now() / 1000), process.versions.tz),
    }),
    mailServer: smtpServerAnswers,
    dnsTexts: async (name) => {
      const records = await resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
        throw error;
      });
      return records.map((parts) => parts.join(''));
    },
    writtenAt: async (file) => (await stat(file)).mtimeMs,
    diskInUse: async () => {
      const { blocks, bfree, bavail } = await statfs(root);
      const used = blocks - bfree;
      return used / (used + bavail);
    },
  };
}
