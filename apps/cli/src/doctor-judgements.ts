import { createPublicKey } from 'node:crypto';
import { lateJobs } from '@clinic/service/database/job-runs.ts';
import { RESTORE_AGAIN } from '@clinic/service/database/migrate.ts';
import { PUT_KEYS_BACK } from '@clinic/service/modules/privacy/index.ts';
import type { Environment, SettingProblem } from '@clinic/service/read-settings.ts';
import { isOpenToOthers, whyKeysUnsafe } from '@clinic/service/security/keyring-file.ts';
import { createKeyring } from '@clinic/service/security/keyring.ts';
import type { Settings } from '@clinic/service/settings.ts';
import { drillSays } from './drill.ts';
import { jobsSay } from './job-ages.ts';
import type { ClinicFacts, DatabaseFacts, Surroundings } from './doctor-surroundings.ts';

/** What the doctor found about one thing. `cure` says what to do when it is wrong. */
export interface Finding {
  readonly what: string;
  readonly state: 'right' | 'wrong' | 'unknown';
  readonly says: string;
  readonly cure?: string;
}
export type Judgement = Omit<Finding, 'what'>;

const OLDEST_POSTGRES = 150_000;
const CLOCKS_APART_MS = 2_000;
const EMR_SILENT_SECONDS = 600;
const EMR_UNSETTLED_SECONDS = 1_800;
const SIGN_UP_SECONDS = 86_400;
const OLDEST_BACKUP_HOURS = 26;
const OLDEST_DRILL_DAYS = 35;
const FULL = 0.95;
const SOONEST_END_DAYS = 14;
export const MEND_REPLICA =
  'Mend it or DATABASE_REPLICA_URL: docs/operating.md, A replica to read from';

export const right = (says: string): Judgement => ({ state: 'right', says });
export const wrong = (says: string, cure: string): Judgement => ({ state: 'wrong', says, cure });
const unknown = (says: string): Judgement => ({ state: 'unknown', says });
export const without = (name: keyof Settings) => unknown(`not looked at for want of ${name}`);
export const notReady = unknown('not looked at: the database is not ready (schema)');

/** One judgement for each problem, or a single good one. */
export const ofProblems = (
  problems: readonly SettingProblem[],
  fine: string,
): readonly Judgement[] =>
  problems.length === 0
    ? [right(fine)]
    : problems.map(({ name, why, cure }) => wrong(`${name} ${why}`, cure));

export async function judgeKeys(
  { whyKeysRefused }: Surroundings,
  env: Environment,
  { DATABASE_URL: url, KEYRING: keys }: Partial<Settings>,
  problems: readonly SettingProblem[],
): Promise<Judgement | readonly Judgement[]> {
  if (problems.length > 0) return ofProblems(problems, '');
  const open = Object.entries(env).filter(
    ([name, file]) =>
      /^[A-Z_]+_(URL|SECRET|KEY|DSN)_FILE$/.test(name) && file && isOpenToOthers(file),
  );
  if (open.length > 0)
    return wrong(
      `others can read the file of ${open.map(([name]) => name).join(' and ')}`,
      `chmod 600 ${open.map(([, file]) => file).join(' ')}`,
    );
  const unsafe = env.KEYRING_FILE ? whyKeysUnsafe(env.KEYRING_FILE) : null;
  if (unsafe !== null) return wrong(unsafe.says, unsafe.cure);
  const mine = 'nobody else can read them';
  if (url === undefined || keys === undefined) return right(mine);
  // A database that does not answer has a line of its own.
  const why = await whyKeysRefused(url, createKeyring(keys)).catch(() => undefined);
  if (why === undefined) return right(mine);
  if (why !== null) return wrong(why.replace(/\.$/, ''), PUT_KEYS_BACK);
  return right(`${mine}, and they open what is sealed`);
}

export function judgeVersion({ version }: DatabaseFacts): Judgement {
  const says = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version >= OLDEST_POSTGRES) return right(says);
  return wrong(says, `Upgrade PostgreSQL to ${OLDEST_POSTGRES / 10_000} or newer`);
}

export function judgeSchema({ schema, open, standing }: DatabaseFacts): Judgement {
  if (schema === null)
    return wrong('the search_path of the role names none', 'Mend it: docs/operating.md, Growing');
  if (standing.kind === 'half') return wrong(standing.why.replace(/\.$/, ''), RESTORE_AGAIN);
  if (standing.kind === 'older')
    return unknown('of an older version: the next start brings it to this one');
  if (open.length === 0) return right(`${schema}; no other clinic is open to the role`);
  return wrong(
    `${schema}, and the role may use what is ${open.join('’s and ')}’s`,
    'Give each clinic a role of its own: npm run clinic -- clinics add',
  );
}

export async function judgePooler(
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

export async function judgeReplica(
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
  return wrong(says[standing], MEND_REPLICA);
}

export async function judgeOutside(
  { now, outside }: Surroundings,
  url: string,
): Promise<Judgement | readonly Judgement[]> {
  const { why, certificateEndsAt, isLive, version } = await outside(url);
  if (why !== null)
    return wrong(
      `patients are not served: ${why}`,
      'Start the service and the proxy, and see that the name leads here with a certificate that browsers take',
    );
  const days =
    certificateEndsAt === null ? null : Math.floor((certificateEndsAt - now()) / 86_400_000);
  const found = [
    ...(days !== null && days < SOONEST_END_DAYS
      ? [wrong(`its certificate ends in ${days} days`, 'Renew it: certbot renew')]
      : []),
    ...(isLive
      ? []
      : [
          wrong(
            'open pages get no live connection',
            'Let the proxy pass WebSocket upgrades on /socket.io/',
          ),
        ]),
  ];
  if (found.length > 0) return found;
  const runs = version === null ? '' : `; ${version} runs`;
  return right(
    `${url} answers${runs}${days === null ? '' : `; its certificate ends in ${days} days`}`,
  );
}

export function judgeClock({ aheadMs }: DatabaseFacts): Judgement {
  const says = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s from the database's`;
  if (Math.abs(aheadMs) <= CLOCKS_APART_MS) return right(says);
  return wrong(says, 'Let both machines follow a time server: timedatectl set-ntp true');
}

export function judgeZone({ now, zone }: Surroundings): Judgement {
  const { release, runtime } = zone();
  const isOld = new Date(now()).getUTCFullYear() - Number(release.slice(0, 4)) > 1;
  const says = `release ${release} of the zone data`;
  if (!isOld && runtime !== 'newerDisagrees') return right(says);
  return wrong(
    isOld ? `${says}, two years old` : `${says}; newer data says other hours`,
    'Upgrade the service, or write its table anew: docs/clinic-time.md',
  );
}

export async function judgeMailServer(
  { mailServer }: Surroundings,
  url: string,
): Promise<Judgement> {
  await mailServer(url);
  return right(`${new URL(url).hostname} takes our emails`);
}

const domainOf = ({ MAIL_FROM: from }: Partial<Settings>) => /@([^>\s]+)/.exec(from ?? '')?.[1];

export async function judgeSpf({ dnsTexts }: Surroundings, settings: Partial<Settings>) {
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

export async function judgeDkim({ dnsTexts }: Surroundings, settings: Partial<Settings>) {
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

export function judgeWebhooks(
  { settled, heard }: ClinicFacts,
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

export function judgeEmr({ emr }: ClinicFacts, now: number): Judgement {
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

export function judgeSignUps({ signUps }: ClinicFacts, now: number): Judgement {
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

export function judgeJobs({ jobs }: ClinicFacts, now: number): Judgement {
  const says = jobsSay(jobs, now);
  return lateJobs(jobs, now).length === 0
    ? right(says)
    : wrong(says, 'Read the log of the service for job-failed, and see that it runs');
}

export function judgeDrill({ drill }: ClinicFacts, now: number): Judgement {
  const says = drillSays(drill, now);
  if (drill === null) return unknown(says);
  if (now - drill.at <= OLDEST_DRILL_DAYS * 86_400) return right(says);
  return wrong(
    says,
    'Restore the newest one beside the clinic, and look at it: npm run clinic -- drill',
  );
}

export async function judgeBackup(
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

export async function judgeDisk({ diskInUse }: Surroundings): Promise<Judgement> {
  const inUse = await diskInUse();
  const says = `${Math.floor(inUse * 100)} % in use`;
  return inUse < FULL ? right(says) : wrong(says, 'Make room, or make the disk larger');
}
