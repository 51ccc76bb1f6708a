import { type UnsureChart, formatAppointment, toClinic } from '@clinic/domain';
import { violations } from '@clinic/service/database/invariants.store.ts';
import { jobRuns } from '@clinic/service/database/job-runs.ts';
import {
  type OutboxStanding,
  outboxStanding,
  sendAgain,
} from '@clinic/service/database/outbox.store.ts';
import {
  type BookingFacts,
  type OverlappedAppointment,
  bookingFacts,
  overlappedAppointments,
} from '@clinic/service/modules/appointments/index.ts';
import {
  type EmrHealth,
  appointmentsOutside,
  emrHealth,
} from '@clinic/service/modules/emr/index.ts';
import {
  type Availability,
  announceMaintenance,
  availabilityNow,
  endMaintenance,
  hasEmr,
} from '@clinic/service/modules/operations/index.ts';
import { additionsToSeeTo } from '@clinic/service/modules/records/index.ts';
import { type SignUpsToSeeTo, signUpsToSeeTo } from '@clinic/service/modules/patients/index.ts';
import { bouncedAccounts } from '@clinic/service/modules/accounts/index.ts';
import {
  needsOperator,
  paymentAlarms,
  paymentPorts,
  reconcile,
  reconcileReport,
} from '@clinic/service/modules/payments/index.ts';
import { RELEASE } from '@clinic/service/server/release.ts';
import { CommandRefused, type Commands, counted, wantedId } from './command.ts';
import { drillSays, lastDrill } from './drill.ts';
import { jobsSay } from './job-ages.ts';
import { healthLines } from './emr-commands.ts';
import { addressesToSeeTo } from './patient-commands.ts';

const LONGEST_MESSAGE = 300;
const MOST_ALARMS = 20;

export const clinicCommands: Commands = {
  offline: {
    summary: 'Announce maintenance: every patient is signed out and told to come back later.',
    options: {
      '--message <text>':
        'A sentence beneath the maintenance message, such as when you will be back.',
    },
    async run({ platform, who, say, texts }) {
      const message = texts.message?.trim() || null;
      if (message !== null && message.length > LONGEST_MESSAGE)
        throw new CommandRefused(
          `The message must not be longer than ${LONGEST_MESSAGE} characters.`,
        );
      await announceMaintenance(platform, { ...who, message });
      say(
        'Maintenance is announced. Patients are signed out; payments under way still end well.',
        'npm run clinic -- online ends it.',
      );
    },
  },
  online: {
    summary: 'End the announced maintenance.',
    async run({ platform, who, say }) {
      const ended = await endMaintenance(platform, who);
      say(ended ? 'Maintenance is over.' : 'No maintenance was announced.');
      const now = await availabilityNow(platform);
      if (now.kind !== 'online') say(...availabilityLines(now, false));
    },
  },
  status: {
    summary:
      'Say what keeps patients from booking, and which appointments, mails and payments want attention.',
    async run({ platform, db, who, say, fromOutside }) {
      const facts = await bookingFacts(db, toClinic(who.now).date);
      const outbox = await outboxStanding(db);
      const takesCards = platform.cardPayments !== undefined;
      const { why: whyNotServed, version } = await fromOutside();
      say(
        ...bookingLines(await availabilityNow(platform), {
          facts,
          takesCards,
          isWithEmr: hasEmr(platform),
          whyNotServed,
        }),
        ...versionLines(version),
        `jobs: ${jobsSay(await jobRuns(db), who.now)}.`,
        `backup: ${drillSays(await lastDrill(db), who.now)}.`,
        ...ofEmr(await emrHealth(db, who.now)),
        ...overlapLines(await overlappedAppointments(db, who.now)),
        ...closedLines(await appointmentsOutside(db, who.now)),
        ...emrLines(outbox, await additionsToSeeTo(db, who.now)),
        ...signUpLines(await signUpsToSeeTo(db)),
        ...mailLines(outbox, await bouncedAccounts(db), (await addressesToSeeTo(db)).length),
        ...paymentLines(await paymentAlarms(db, MOST_ALARMS)),
      );
    },
  },
  'emails send-again': {
    summary: 'Try an email again that the mail server refused, or that came too late.',
    arguments: { '<id>': 'As status shows it.' },
    async run({ platform: { database, appendAudit }, who: { actor, now }, say, texts }) {
      const id = wantedId(texts.id, 'email');
      const isFound = await database.inTransaction(async (tx) => {
        const found = await sendAgain(tx, id, now);
        if (found)
          await appendAudit(tx, {
            actor,
            action: 'email sent again',
            subject: `email:${id}`,
            at: now,
          });
        return found;
      });
      if (!isFound) throw new CommandRefused('No such email has failed.');
      say('The service tries it within a second or two; status says when it has failed again.');
    },
  },
  doctor: {
    summary:
      'Look at settings, database, mail, keys, backup and disk; end with 1 where one is wrong.',
    options: { '--mail <address>': 'Send a test mail to this address, too.' },
  },
  reconcile: {
    summary: 'Lay the card gateway’s books beside ours, and settle what differs.',
    arguments: { '[days]': 'How many days to look back; all of them unless said otherwise.' },
    async run({ platform, who, say, texts: { days } }) {
      if (days !== undefined && !(Number(days) > 0))
        throw new CommandRefused('[days] must be a number above 0.');
      if (!platform.cardPayments) throw new CommandRefused('No card payments are set up.');
      const since = days === undefined ? 0 : who.now - Number(days) * 86_400;
      const report = await reconcile(paymentPorts(platform, platform.cardPayments), since);
      say(...reconcileReport(report));
      if (needsOperator(report))
        throw new CommandRefused('What says ALARM is not mended by itself.');
    },
  },
  'check-invariants': {
    summary: 'Check that every appointment and its money are whole.',
    async run({ db, who, say }) {
      const found = await violations(db, who.now);
      for (const violation of found) say(violation);
      if (found.length > 0) throw new CommandRefused(`${counted(found.length, 'violation')}.`);
      say('All invariants hold.');
    },
  },
};

type Lacking = Readonly<Record<'types' | 'fees' | 'providers' | 'schedule', string>>;

const LACKING: Lacking = {
  types: 'there are no appointment types (import types)',
  fees: 'no type has a fee yet (import fees)',
  providers: 'no provider is active and shown (import providers)',
  schedule: 'no provider works on any day ahead (import schedule)',
};

/** Doctors and their days come from the EMR. */
const LACKING_WITH_EMR: Lacking = {
  ...LACKING,
  providers:
    "no doctor of the EMR is shown (front desk, Set-up, Tables, 'Show a doctor to patients')",
  schedule: 'no doctor who is shown works on any day ahead in the EMR (emr check)',
};

interface Offering {
  readonly facts: BookingFacts;
  readonly takesCards: boolean;
  readonly isWithEmr: boolean;
  readonly whyNotServed: string | null;
}

function bookingLines(
  now: Availability,
  { facts, takesCards, isWithEmr, whyNotServed }: Offering,
): string[] {
  const lacking = Object.entries<string>(isWithEmr ? LACKING_WITH_EMR : LACKING).filter(
    ([fact]) => !facts[fact as keyof Lacking],
  );
  return [
    ...(whyNotServed === null
      ? availabilityLines(now, lacking.length === 0)
      : [`down: patients cannot book, for ${whyNotServed}.`]),
    ...lacking.map(([, why]) => `Nobody can book: ${why}.`),
    ...(facts.charges && !takesCards
      ? ['Nobody can book what costs something: no card payments are set up.']
      : []),
  ];
}

function availabilityLines(now: Availability, canBook: boolean): string[] {
  if (now.kind === 'announced') {
    const { since, message } = now.announcement;
    return [
      `offline: maintenance is announced since ${formatAppointment(since)}.`,
      ...(message === null ? [] : [`message: ${message}`]),
    ];
  }
  if (now.kind === 'recordsOffline') return ['offline: the clinic’s records do not answer.'];
  if (now.kind === 'bookingPaused') {
    const asOf = formatAppointment(now.asOf);
    const why = now.why === 'refused' ? 'refuses us' : 'does not answer';
    return [`paused: the EMR ${why}. Patients see the times as of ${asOf}, and cannot book.`];
  }
  return [canBook ? 'online: patients can book.' : 'online, but patients cannot book.'];
}

const versionLines = (version: string | null): string[] => {
  if (version === null) return [];
  const other =
    version === RELEASE ? '' : `; ${RELEASE} is installed here, and begins with a restart`;
  return [`version: ${version} runs${other}.`];
};

const ofEmr = (health: EmrHealth): string[] =>
  health.kind === 'answers' && health.ending.length === 0
    ? []
    : healthLines(health).map((line) => `emr: ${line}`);

const closedLines = ({ length }: readonly unknown[]): string[] =>
  length === 0
    ? []
    : [
        `closed: the EMR has closed under ${counted(length, 'booked appointment')} (the desk lists whom to call; npm run clinic -- outside-schedule).`,
      ];

const overlapLines = ({ length }: readonly OverlappedAppointment[]): string[] =>
  length === 0
    ? []
    : [
        `overlaps: staff have booked over ${counted(length, 'appointment')} (npm run clinic -- overlaps).`,
      ];

function emrLines(
  { forEmr }: OutboxStanding,
  { shown, all }: Awaited<ReturnType<typeof additionsToSeeTo>>,
): string[] {
  return [
    ...(forEmr === 0 ? [] : [`emr: ${counted(forEmr, 'change')} not yet there.`]),
    ...(all === 0 ? [] : ['emr: look whether it has these (docs/emr.md):']),
    ...shown.map(({ key, outcome, askedAt }) => {
      const what = outcome === 'refused' ? 'not taken' : 'perhaps there';
      return `  ${what} ${formatAppointment(askedAt)}  ${key}`;
    }),
    ...(all > shown.length ? [`  and ${all - shown.length} more`] : []),
  ];
}

/** What staff do about an account whose chart is not sure. */
const CURES: Readonly<Record<UnsureChart, string>> = {
  several: 'several charts may be theirs: merge them in the EMR, or choose one',
  deceased: 'their chart is marked as deceased: mend it in the EMR, then choose it',
  inactive: 'their chart is not active: make it active in the EMR, then choose it',
  ofAnother: 'their chart is another account’s: close the one that is not used',
  alike: 'a chart may be theirs: compare both, and choose',
  longName: 'their name is too long for the EMR: open a chart there, and choose it',
  merged:
    'close the account that is not used; where both are used, undo the merge in the EMR, or choose another chart',
};

function signUpLines({ unclear, merged, refused }: SignUpsToSeeTo): string[] {
  const each = ({ id, at, why }: SignUpsToSeeTo['unclear'][number]) =>
    `  since ${formatAppointment(at)}  ${id}  ${why === null ? 'compare the charts, and choose' : CURES[why]}`;
  return [
    ...(unclear.length === 0
      ? []
      : [
          `sign-ups: ${counted(unclear.length, 'account')} cannot book until staff say which chart is theirs (front desk, Patients, or patients match).`,
        ]),
    ...unclear.slice(0, MOST_ALARMS).map(each),
    ...(merged.length === 0
      ? []
      : [
          `charts: staff have merged those of ${counted(merged.length, 'account')} into another account’s (front desk, Patients).`,
        ]),
    ...merged.slice(0, MOST_ALARMS).map(each),
    ...(refused.length === 0
      ? []
      : [
          `sign-ups: ${counted(refused.length, 'sign-up')} got no account (front desk, Patients: call them).`,
        ]),
  ];
}

function mailLines(
  { waiting, triedInVain, failed, lastFailed }: OutboxStanding,
  bounced: number,
  unclear: number,
): string[] {
  const vain = triedInVain === 0 ? '' : `, ${triedInVain} of them tried in vain`;
  return [
    `mails: ${waiting} waiting${vain}, ${failed} failed${failed === 0 ? '' : ' (emails send-again)'}.`,
    ...lastFailed.map(({ id, isRefused, kind, payload, at }) => {
      const what = Object.entries(payload).map(([name, value]) => `${name} ${String(value)}`);
      const how = isRefused ? 'refused ' : 'too late';
      return `  ${how} ${formatAppointment(at)}  ${id}  ${kind}: ${what.join(', ')}`;
    }),
    ...(bounced === 0
      ? []
      : [`  emails do not reach ${counted(bounced, 'patient')} (patients list --bounced).`]),
    ...(unclear === 0
      ? []
      : [`  the address of ${counted(unclear, 'account')} is unclear (accounts addresses).`]),
  ];
}

function paymentLines(alarms: Awaited<ReturnType<typeof paymentAlarms>>): string[] {
  if (alarms.length === 0) return ['payments: none needs attention.'];
  const many =
    alarms.length < MOST_ALARMS ? counted(alarms.length, 'payment') : `${MOST_ALARMS} or more`;
  return [
    `payments: ${many} to look at (npm run reconcile).`,
    ...alarms.map(({ id, alarm }) => `  ${id}  ${alarm}`),
  ];
}
