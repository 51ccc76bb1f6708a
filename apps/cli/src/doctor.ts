import { createPublicKey } from 'node:crypto';
import { resolveTxt } from 'node:dns/promises';
import { stat, statfs } from 'node:fs/promises';
import { ZONE_DATA_VERSION } from '@clinic/domain';
import { smtpMail, smtpServerAnswers } from '@clinic/service/adapters/email-smtp.ts';
import { dkimOf } from '@clinic/service/configure.ts';
import { type Db, databaseOn } from '@clinic/service/database/db.ts';
import { openPostgres } from '@clinic/service/database/engine-postgres.ts';
import { reachOf } from '@clinic/service/database/reach.ts';
import { type ReplicaFacts, replicaFacts } from '@clinic/service/database/replica.store.ts';
import { type ServerFacts, serverFacts } from '@clinic/service/database/server-facts.store.ts';
import { unsettledInEmr } from '@clinic/service/modules/appointments/index.ts';
import {
  type EmrHealth,
  type EmrStanding,
  emrHealth,
  emrStanding,
} from '@clinic/service/modules/emr/index.ts';
import { type SignUpsToSeeTo, signUpsToSeeTo } from '@clinic/service/modules/patients/index.ts';
import { webhookStanding } from '@clinic/service/modules/payments/index.ts';
import { judgeRuntimeZone } from '@clinic/service/open-clinic.ts';
import {
  type Environment,
  type SettingProblem,
  judgeSettings,
} from '@clinic/service/read-settings.ts';
import { isOpenToOthers } from '@clinic/service/security/keyring-file.ts';
import { escapeHtml } from '@clinic/service/server/emails.ts';
import type { Settings } from '@clinic/service/settings.ts';

/** What the doctor found about one thing. `cure` says what to do when it is wrong. */
export interface Finding {
  readonly what: string;
  readonly state: 'right' | 'wrong' | 'unknown';
  readonly says: string;
  readonly cure?: string;
}
type Judgement = Omit<Finding, 'what'>;

/** What the doctor examines apart from the settings. */
export interface Surroundings {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly isPooled: (url: string) => Promise<boolean>;
  readonly replica: (url: string, replicaUrl: string) => Promise<ReplicaFacts>;
  /** `since` in epoch seconds. */
  readonly database: (url: string, since: number) => Promise<DatabaseFacts>;
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

interface DatabaseFacts extends ServerFacts {
  /** `settled`: whether money moved since then; `heard`: whether the card provider told us of any. */
  readonly settled: boolean;
  readonly heard: boolean;
  /** Null when no EMR was ever synced with. `waiting` is what the EMR has not confirmed. */
  readonly emr: (EmrStanding & { readonly waiting: Unsettled; readonly health: EmrHealth }) | null;
  readonly signUps: SignUpsToSeeTo;
}
type Unsettled = Awaited<ReturnType<typeof unsettledInEmr>>;

const OLDEST_POSTGRES = 150_000;
const CLOCKS_APART_MS = 2_000;
const DAY_SECONDS = 86_400;
const EMR_SILENT_SECONDS = 600;
const EMR_UNSETTLED_SECONDS = 1_800;
const SIGN_UP_SECONDS = DAY_SECONDS;
const OLDEST_BACKUP_HOURS = 26;
const FULL = 0.95;
const LONGEST_MS = 15_000;

const right = (says: string): Judgement => ({ state: 'right', says });
const wrong = (says: string, cure: string): Judgement => ({ state: 'wrong', says, cure });
const without = (name: keyof Settings): Judgement => ({
  state: 'unknown',
  says: `not looked at for want of ${name}`,
});

/** Examines everything at once. What needs a setting that is missing is 'unknown'. */
export async function examine(env: Environment, around: Surroundings): Promise<Finding[]> {
  const { settings, problems } = judgeSettings(env);
  const ofKeys = ({ name }: SettingProblem) => name.startsWith('KEYRING');
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, SMTP_URL: smtp } = settings;
  const since = Math.floor(around.now() / 1000) - DAY_SECONDS;
  const asked = url === undefined ? null : within(around.database(url, since));
  // Those who await it see the error; this only prevents an unhandled rejection.
  asked?.catch(() => undefined);
  const facts = async (judge: (found: DatabaseFacts) => Judgement) =>
    asked === null ? without('DATABASE_URL') : judge(await asked);
  const looks: readonly (readonly [string, () => Promise<Judgement | readonly Judgement[]>])[] = [
    [
      'settings',
      async () =>
        ofProblems(
          problems.filter((each) => !ofKeys(each)),
          'all are right',
        ),
    ],
    ['keys', async () => judgeKeys(env, problems.filter(ofKeys))],
    ['database', () => facts(judgeVersion)],
    ['schema', () => facts(judgeSchema)],
    [
      'pooler',
      async () => (url === undefined ? without('DATABASE_URL') : judgePooler(around, url, direct)),
    ],
    ['replica', () => judgeReplica(around, settings)],
    ['clock', () => facts(judgeClock)],
    ['zone data', async () => judgeZone(around)],
    [
      'mail server',
      async () => (smtp === undefined ? without('SMTP_URL') : judgeMailServer(around, smtp)),
    ],
    ['SPF', () => judgeSpf(around, settings)],
    ['DKIM', () => judgeDkim(around, settings)],
    ['webhooks', () => facts((found) => judgeWebhooks(found, settings))],
    ['EMR', () => facts((found) => judgeEmr(found, Math.floor(around.now() / 1000)))],
    ['sign-ups', () => facts((found) => judgeSignUps(found, Math.floor(around.now() / 1000)))],
    ['backup', () => judgeBackup(around, settings)],
    ['disk', () => judgeDisk(around)],
  ];
  const findings = await Promise.all(
    looks.map(async ([what, look]) => {
      const found = await within(look()).catch((error: unknown) =>
        wrong(
          String(error instanceof Error ? error.message : error),
          CURE_OF[what] ?? 'Look into it',
        ),
      );
      return [found].flat().map((each) => ({ what, ...each }));
    }),
  );
  return findings.flat();
}

/** The cure when an examination itself fails. */
const CURE_OF: Readonly<Record<string, string>> & { readonly replica: string } = {
  database: 'Start PostgreSQL, or mend DATABASE_URL',
  schema: 'Start PostgreSQL, or mend DATABASE_URL',
  pooler: 'Start PostgreSQL, or mend DATABASE_URL and DATABASE_DIRECT_URL',
  replica: 'Mend it or DATABASE_REPLICA_URL: docs/operating.md, A replica to read from',
  clock: 'Start PostgreSQL, or mend DATABASE_URL',
  EMR: 'Start PostgreSQL and, on a new database, the service once',
  webhooks: 'Start PostgreSQL and, on a new database, the service once',
  'mail server': 'Mend SMTP_URL, or the way to the mail server',
  SPF: 'Mend the name server that this machine asks',
  DKIM: 'Mend the name server that this machine asks',
  backup: 'Let the backup touch the file of BACKUP_MARKER_FILE when it has ended well',
};

/** One judgement for each problem, or a single good one. */
const ofProblems = (problems: readonly SettingProblem[], fine: string): readonly Judgement[] =>
  problems.length === 0
    ? [right(fine)]
    : problems.map(({ name, why, cure }) => wrong(`${name} ${why}`, cure));

function judgeKeys(
  env: Environment,
  problems: readonly SettingProblem[],
): Judgement | readonly Judgement[] {
  if (problems.length > 0) return ofProblems(problems, '');
  const open = Object.entries(env).filter(
    ([name, file]) =>
      /^[A-Z_]+_(URL|SECRET|KEY|DSN)_FILE$/.test(name) && file && isOpenToOthers(file),
  );
  if (open.length === 0) return right('nobody else can read them');
  return wrong(
    `others can read the file of ${open.map(([name]) => name).join(' and ')}`,
    `chmod 600 ${open.map(([, file]) => file).join(' ')}`,
  );
}

function judgeVersion({ version }: DatabaseFacts): Judgement {
  const says = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version >= OLDEST_POSTGRES) return right(says);
  return wrong(says, `Upgrade PostgreSQL to ${OLDEST_POSTGRES / 10_000} or newer`);
}

function judgeSchema({ schema, open }: DatabaseFacts): Judgement {
  if (schema === null)
    return wrong('the search_path of the role names none', 'Mend it: docs/operating.md, Growing');
  if (open.length === 0) return right(`${schema}; no other clinic is open to the role`);
  return wrong(
    `${schema}, and the role may use what is ${open.join('’s and ')}’s`,
    'Give each clinic a role of its own: npm run clinic -- clinics add',
  );
}

async function judgePooler(
  { isPooled }: Surroundings,
  url: string,
  direct: string | undefined,
): Promise<Judgement> {
  if (direct !== undefined && (await isPooled(direct)))
    return wrong('DATABASE_DIRECT_URL leads to a pooler', 'Set it to PostgreSQL itself');
  if (!(await isPooled(url))) return right('none: PostgreSQL itself');
  if (direct !== undefined) return right('one, and DATABASE_DIRECT_URL leads past it');
  return wrong(
    'DATABASE_URL leads to a pooler of transactions, and nothing leads past it',
    'Set DATABASE_DIRECT_URL to PostgreSQL itself',
  );
}

async function judgeReplica(
  { replica }: Surroundings,
  { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl }: Partial<Settings>,
): Promise<Judgement> {
  if (replicaUrl === undefined) return right('none is set up');
  if (url === undefined) return without('DATABASE_URL');
  const { standing, lacksBytes } = await replica(url, replicaUrl);
  if (standing === 'caught-up') return right('it has all that the database has');
  const lacks = `it lacks ${(lacksBytes / 1e6).toFixed(1)} MB of the log after a second`;
  const says = {
    behind: lacksBytes > 0 ? lacks : 'it still follows the server before this one',
    silent: 'it does not answer',
    promoted: 'it takes writes itself: it is no replica',
    foreign: 'it is a replica of another server, or leads to another clinic',
  };
  return wrong(says[standing], CURE_OF.replica);
}

function judgeClock({ aheadMs }: DatabaseFacts): Judgement {
  const says = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s from the database's`;
  if (Math.abs(aheadMs) <= CLOCKS_APART_MS) return right(says);
  return wrong(says, 'Let both machines follow a time server: timedatectl set-ntp true');
}

function judgeZone({ now, zone }: Surroundings): Judgement {
  const { release, runtime } = zone();
  const isOld = new Date(now()).getUTCFullYear() - Number(release.slice(0, 4)) > 1;
  const says = `release ${release} of the zone data`;
  if (!isOld && runtime !== 'newerDisagrees') return right(says);
  return wrong(
    isOld ? `${says}, two years old` : `${says}; newer data says other hours`,
    'Upgrade the service, or write its table anew: docs/clinic-time.md',
  );
}

async function judgeMailServer({ mailServer }: Surroundings, url: string): Promise<Judgement> {
  await mailServer(url);
  return right(`${new URL(url).hostname} takes our emails`);
}

const domainOf = ({ MAIL_FROM: from }: Partial<Settings>) => /@([^>\s]+)/.exec(from ?? '')?.[1];

async function judgeSpf({ dnsTexts }: Surroundings, settings: Partial<Settings>) {
  const domain = domainOf(settings);
  if (domain === undefined) return without('MAIL_FROM');
  const found = (await dnsTexts(domain)).filter((text) => /^v=spf1( |$)/i.test(text));
  if (found.length === 1) return right(`${domain} says who may send for it`);
  return wrong(
    found.length === 0
      ? `${domain} has no SPF record`
      : `${domain} has ${found.length} SPF records`,
    `Publish one TXT record for ${domain} that names the mail server, such as "v=spf1 mx -all"`,
  );
}

async function judgeDkim({ dnsTexts }: Surroundings, settings: Partial<Settings>) {
  const domain = domainOf(settings);
  const { MAIL_DKIM_SELECTOR: selector } = settings;
  if (domain === undefined) return without('MAIL_FROM');
  if (selector === undefined) return without('MAIL_DKIM_SELECTOR');
  const name = `${selector}._domainkey.${domain}`;
  const found = await dnsTexts(name);
  // An empty p= means that the key was withdrawn.
  const keys = found.flatMap((text) => /(?:^|;)\s*p=([^;]+)/.exec(text)?.[1]?.trim() || []);
  const own =
    settings.MAIL_DKIM_KEY === undefined
      ? null
      : createPublicKey(settings.MAIL_DKIM_KEY)
          .export({ type: 'spki', format: 'der' })
          .toString('base64');
  if (own === null) {
    if (keys.length > 0) return right(`${name} has a key`);
    return wrong(
      `${name} has no key`,
      `Publish the mail server's DKIM key as a TXT record at ${name}`,
    );
  }
  if (keys.some((key) => key.replaceAll(/\s/g, '') === own))
    return right(`${name} has the key of MAIL_DKIM_KEY`);
  return wrong(
    keys.length === 0 ? `${name} has no key` : `${name} has another key than MAIL_DKIM_KEY's`,
    `Publish it as a TXT record at ${name}: "v=DKIM1; k=rsa; p=${own}"`,
  );
}

function judgeWebhooks(
  { settled, heard }: DatabaseFacts,
  { STRIPE_SECRET_KEY: stripe, PUBLIC_URL: publicUrl }: Partial<Settings>,
): Judgement {
  if (stripe === undefined) return right('none: no card payments are set up');
  if (!settled) return right('no payment was settled in 24 hours');
  if (heard) return right('heard from in 24 hours');
  return wrong(
    'payments were settled in 24 hours, and Stripe told us of none',
    `Send Stripe's events to ${publicUrl ?? 'PUBLIC_URL'}/webhooks/stripe, and mend STRIPE_WEBHOOK_SECRET`,
  );
}

function judgeEmr({ emr }: DatabaseFacts, now: number): Judgement {
  if (emr === null) return right('none is in use');
  const { answeredAt, overlapped, lacking, waiting, health } = emr;
  const minutes = (seconds: number) => `${Math.floor(seconds / 60)} minutes`;
  const { kind, refused, ending, isBookingPaused } = health;
  if (kind === 'refused')
    return wrong(
      `it answers, and refuses ${refused.map(({ key }) => `the ${key}`).join(' and ') || 'what is asked'} since ${minutes(now - health.since)}${isBookingPaused ? ': patients cannot book' : ''}`,
      refused.length > 0
        ? 'Connect it again: npm run clinic -- emr connect'
        : 'See what its account may do: npm run clinic -- emr check',
    );
  if (kind === 'silent')
    return wrong(
      `it has not answered for ${minutes(now - health.since)}: patients cannot book`,
      'See that the EMR runs and takes the service’s calls: docs/emr.md',
    );
  const [first] = ending;
  if (first !== undefined)
    return wrong(
      `the ${first.key} by which it lets the service in ends in ${minutes(first.endsAt - now)}`,
      'Connect it again before: npm run clinic -- emr connect',
    );
  if (answeredAt === null || now - answeredAt > EMR_SILENT_SECONDS)
    return wrong(
      answeredAt === null
        ? 'it has never answered'
        : `it has not answered for ${minutes(now - answeredAt)}`,
      'See that the service runs and the EMR takes its calls: docs/emr.md',
    );
  const late = waiting.filter(({ oldestSeconds }) => oldestSeconds > EMR_UNSETTLED_SECONDS);
  if (late.length > 0)
    return wrong(
      late
        .map(
          ({ what, oldestSeconds }) =>
            `a ${what} has waited for ${minutes(oldestSeconds)} for it to confirm`,
        )
        .join(', '),
      'Look at what the EMR has at that time: docs/emr.md',
    );
  if (lacking > 0)
    return wrong(
      `it does not know ${lacking} of the appointments that are booked here`,
      'The audit trail names each (appointment lacking in the EMR): docs/emr.md',
    );
  return right(
    overlapped === 0
      ? 'it answers, and nothing waits for long'
      : `it answers; staff have booked over ${overlapped} there (clinic overlaps)`,
  );
}

function judgeSignUps({ signUps }: DatabaseFacts, now: number): Judgement {
  const all = [...signUps.unclear, ...signUps.merged, ...signUps.refused];
  if (all.length === 0) return right('none waits for staff');
  const late = all.filter(({ at }) => now - at > SIGN_UP_SECONDS).length;
  const [unclear, merged] = [signUps.unclear.length, signUps.merged.length];
  const refused = signUps.refused.length;
  const says = [
    ...(unclear > 0 ? [`${unclear} cannot book until staff say which chart is theirs`] : []),
    ...(merged > 0 ? [`${merged} have a chart that was merged into another account’s`] : []),
    ...(refused > 0 ? [`${refused} got no account`] : []),
  ].join(', ');
  if (late === 0) return right(says);
  return wrong(
    `${says}; ${late} of them for more than a day`,
    'Front desk, Patients: decide, or call them. clinic status says why: docs/emr.md',
  );
}

async function judgeBackup(
  { now, writtenAt }: Surroundings,
  { BACKUP_MARKER_FILE: file }: Partial<Settings>,
): Promise<Judgement> {
  if (file === undefined)
    return wrong(
      'nothing says when the last one was made',
      'Set BACKUP_MARKER_FILE, and let the backup touch that file when it has ended well',
    );
  const hours = (now() - (await writtenAt(file))) / 3_600_000;
  const says = `the last one is ${Math.floor(hours)} hours old`;
  if (hours <= OLDEST_BACKUP_HOURS) return right(says);
  return wrong(says, 'See why the backup failed, and make one now');
}

async function judgeDisk({ diskInUse }: Surroundings): Promise<Judgement> {
  const inUse = await diskInUse();
  const says = `${Math.floor(inUse * 100)} % in use`;
  return inUse < FULL ? right(says) : wrong(says, 'Make room, or make the disk larger');
}

/** Sends a test email, as patients would get it. */
export async function sendTestMail(env: Environment, to: string): Promise<Finding> {
  const what = 'test mail';
  const { settings } = judgeSettings(env);
  const { SMTP_URL: url, MAIL_FROM: from, CLINIC_NAME: clinic = '' } = settings;
  if (url === undefined || from === undefined) return { what, ...without('SMTP_URL') };
  const mail = smtpMail({ url, from, ...dkimOf(settings) });
  const text = `The booking service of ${clinic} can send emails.`;
  try {
    await mail.send({
      key: `doctor-${Date.now()}`,
      to,
      subject: `Test of ${clinic}`,
      text,
      html: `<p>${escapeHtml(text)}`,
    });
    return { what, ...right(`sent to ${to}: see that it arrives, and not as spam`) };
  } catch (error) {
    return { what, ...wrong(String(error), 'Mend SMTP_URL and MAIL_FROM') };
  } finally {
    mail.close();
  }
}

/** Formats one line for each finding, and one for each cure. */
export function table(findings: readonly Finding[]): string[] {
  const mark = { right: 'ok   ', wrong: 'WRONG', unknown: '-    ' };
  const width = Math.max(...findings.map(({ what }) => what.length));
  return findings.flatMap(({ what, state, says, cure }) => [
    `${mark[state]}  ${what.padEnd(width)}  ${says}`,
    ...(cure === undefined ? [] : [`       ${' '.repeat(width)}  → ${cure}.`]),
  ]);
}

function within<T>(looking: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it takes too long to answer')), LONGEST_MS);
  return Promise.race([looking, promise]).finally(() => clearTimeout(timer));
}

async function emrFacts(db: Db): Promise<DatabaseFacts['emr']> {
  const standing = await emrStanding(db);
  if (standing === null) return null;
  const now = Math.floor(Date.now() / 1000);
  const [waiting, health] = [await unsettledInEmr(db, now), await emrHealth(db, now)];
  return { ...standing, waiting, health };
}

async function on<T>(url: string, look: (db: Db) => Promise<T>): Promise<T> {
  const database = databaseOn(openPostgres({ url, reach: await reachOf(url), poolSize: 1 }));
  try {
    return await look(database.db);
  } finally {
    await database.close();
  }
}

/** The real surroundings: the machine that runs this. */
export function surroundings(root: string): Surroundings {
  return {
    now: () => Date.now(),
    isPooled: async (url) => (await reachOf(url)).kind === 'pooler',
    replica: (url, replicaUrl) =>
      on(url, (primary) => on(replicaUrl, (replica) => replicaFacts(primary, async () => replica))),
    database: (url, since) =>
      on(url, async (db) => ({
        ...(await serverFacts(db)),
        ...(await webhookStanding(db, since)),
        emr: await emrFacts(db),
        signUps: await signUpsToSeeTo(db),
      })),
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
