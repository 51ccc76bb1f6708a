import { smtpMail } from '@clinic/service/adapters/email-smtp.ts';
import { dkimOf } from '@clinic/service/configure.ts';
import {
  type Environment,
  type SettingProblem,
  judgeSettings,
} from '@clinic/service/read-settings.ts';
import { escapeHtml } from '@clinic/service/server/email-layout.ts';
import {
  MEND_REPLICA,
  type Finding,
  type Judgement,
  judgeBackup,
  judgeClock,
  judgeDisk,
  judgeDkim,
  judgeEmr,
  judgeDrill,
  judgeJobs,
  judgeKeys,
  judgeMailServer,
  judgeOutside,
  judgePooler,
  judgeReplica,
  judgeSchema,
  judgeSignUps,
  judgeSpf,
  judgeVersion,
  judgeWebhooks,
  judgeZone,
  notReady,
  ofProblems,
  right,
  without,
  wrong,
} from './doctor-judgements.ts';
import type { ClinicFacts, DatabaseFacts, Surroundings } from './doctor-surroundings.ts';

const DAY_SECONDS = 86_400;
const LONGEST_MS = 15_000;

/** Examines everything at once. What needs a setting that is missing is 'unknown'. */
export async function examine(env: Environment, around: Surroundings): Promise<Finding[]> {
  const { settings, problems } = judgeSettings(env);
  const ofKeys = ({ name }: SettingProblem) => name.startsWith('KEYRING');
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, SMTP_URL: smtp } = settings;
  const { PUBLIC_URL: site } = settings;
  const now = Math.floor(around.now() / 1000);
  const since = now - DAY_SECONDS;
  const asked = url === undefined ? null : withTimeout(around.database(url, since));
  // Those who await it see the error; this only prevents an unhandled rejection.
  asked?.catch(() => undefined);
  const facts = async (judge: (found: DatabaseFacts) => Judgement) =>
    asked === null ? without('DATABASE_URL') : judge(await asked);
  const ofClinic = (judge: (found: ClinicFacts) => Judgement) =>
    facts(({ clinic }) => (clinic === null ? notReady : judge(clinic)));
  const looks: readonly (readonly [string, () => Promise<Judgement | readonly Judgement[]>])[] = [
    [
      'settings',
      async () =>
        ofProblems(
          problems.filter((each) => !ofKeys(each)),
          'all are right',
        ),
    ],
    ['keys', () => judgeKeys(around, env, settings, problems.filter(ofKeys))],
    ['database', () => facts(judgeVersion)],
    ['schema', () => facts(judgeSchema)],
    [
      'pooler',
      async () => (url === undefined ? without('DATABASE_URL') : judgePooler(around, url, direct)),
    ],
    ['replica', () => judgeReplica(around, settings)],
    [
      'outside',
      async () => (site === undefined ? without('PUBLIC_URL') : judgeOutside(around, site)),
    ],
    ['clock', () => facts(judgeClock)],
    ['zone data', async () => judgeZone(around)],
    [
      'mail server',
      async () => (smtp === undefined ? without('SMTP_URL') : judgeMailServer(around, smtp)),
    ],
    ['SPF', () => judgeSpf(around, settings)],
    ['DKIM', () => judgeDkim(around, settings)],
    ['webhooks', () => ofClinic((found) => judgeWebhooks(found, settings))],
    ['EMR', () => ofClinic((found) => judgeEmr(found, now))],
    ['sign-ups', () => ofClinic((found) => judgeSignUps(found, now))],
    ['jobs', () => ofClinic((found) => judgeJobs(found, now))],
    ['backup', () => judgeBackup(around, settings)],
    ['drill', () => ofClinic((found) => judgeDrill(found, now))],
    ['disk', () => judgeDisk(around)],
  ];
  const findings = await Promise.all(
    looks.map(async ([what, look]) => {
      const found = await withTimeout(look()).catch((error: unknown) =>
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
const CURE_OF: Readonly<Record<string, string>> = {
  database: 'Start PostgreSQL, or mend DATABASE_URL',
  schema: 'Start PostgreSQL, or mend DATABASE_URL',
  pooler: 'Start PostgreSQL, or mend DATABASE_URL and DATABASE_DIRECT_URL',
  replica: MEND_REPLICA,
  clock: 'Start PostgreSQL, or mend DATABASE_URL',
  EMR: 'Start PostgreSQL and, on a new database, the service once',
  webhooks: 'Start PostgreSQL and, on a new database, the service once',
  'mail server': 'Mend SMTP_URL, or the way to the mail server',
  SPF: 'Mend the name server that this machine asks',
  DKIM: 'Mend the name server that this machine asks',
  backup: 'Let the backup touch the file of BACKUP_MARKER_FILE when it has ended well',
};

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

function withTimeout<T>(looking: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it takes too long to answer')), LONGEST_MS);
  return Promise.race([looking, promise]).finally(() => clearTimeout(timer));
}
