import { formatAppointment, fullName, listedName, maskedCard } from '@clinic/domain';
import {
  type OscarAccess,
  type OscarCredentials,
  askForConsent,
  oscarAccess,
  oscarAsking,
  oscarCredentials,
  oscarsAt,
  takeConsent,
} from '@clinic/service/adapters/emr-oscar/connection.ts';
import { cureOfSilence } from '@clinic/service/adapters/emr-oscar/examine/cures.ts';
import { examineOscar } from '@clinic/service/adapters/emr-oscar/examine/examine.ts';
import { codesInUse } from '@clinic/service/adapters/emr-oscar/examine/set-up.ts';
import { type EmrHealth, emrHealth, lastSync } from '@clinic/service/modules/emr/index.ts';
import {
  type ChartsOfPatient,
  chartsOfPatient,
  countDocumentsNotInEmr,
  decideChart,
  lookAtCharts,
} from '@clinic/service/modules/patients/index.ts';
import type { Chart } from '@clinic/service/modules/records/emr.ts';
import {
  ASKING,
  keepConnection,
  keptProviders,
  keptSlotCodes,
  readConnection,
} from '@clinic/service/modules/records/index.ts';
import { keptPolicies, knownTypes, nameInEmr } from '@clinic/service/modules/schedule/index.ts';
import { emrOn } from '@clinic/service/open-emr.ts';
import { noteLook } from '@clinic/service/server/audited-reads.ts';
import { Refusal } from '@clinic/service/server/refusal.ts';
import {
  type CommandContext,
  CommandRefused,
  type Commands,
  counted,
  refusedBy,
} from './command.ts';
import { PATIENT, wantedPatient } from './patient-commands.ts';

/** `npm run clinic -- emr …`: the connection to the clinic's OSCAR (docs/emr.md). */
export const emrCommands: Commands = {
  'emr connect': {
    summary: 'Connect the clinic’s OSCAR: first with --file, then with --verifier.',
    options: {
      '--file <file>':
        'A JSON file with client, login and programId (docs/emr.md). Delete it afterwards.',
      '--verifier <text>': 'What OSCAR showed the provider who gave consent.',
    },
    async run(context) {
      const { platform, db, who, say, file, texts } = context;
      const [base] = addressesOf(context);
      if (file) {
        const { asking, authorizeAt } = await spoken(() =>
          askForConsent(base, accessIn(file), who.now),
        );
        await keepConnection(platform, { id: ASKING, credentials: asking }, who);
        say(
          `Open ${authorizeAt}`,
          'Log in as the provider whom the service acts as, and approve. Then run:',
          'npm run clinic -- emr connect --verifier <the text that OSCAR shows>',
        );
        return;
      }
      const { verifier } = texts;
      if (verifier === undefined) throw new CommandRefused('Give --file or --verifier.');
      const asking = oscarAsking.safeParse(await readConnection(platform, ASKING));
      if (!asking.success) throw new CommandRefused('Begin with --file.');
      const credentials = await spoken(() =>
        takeConsent(base, asking.data, verifierIn(verifier), who.now),
      );
      await keepConnection(platform, { id: 'oscar', credentials }, who);
      say(
        'OSCAR is connected. A service that runs takes it up within a minute, one that never had an EMR when it is started again. Look with npm run clinic -- emr check.',
        ...untilTokenEnds(credentials),
      );
      const inUse = await spoken(async () => {
        const [oscar] = oscarsAt([base], credentials);
        return oscar ? codesInUse(oscar, await keptSlotCodes(db), who.now) : [];
      });
      say('The codes of its templates in the next week:', ...inUse.map((each) => `  ${each}`));
    },
  },
  'emr check': {
    summary: 'Look whether the clinic’s OSCAR is as the service needs it.',
    options: {
      '--book <number>':
        'The demographic number of a test patient: an appointment is written, cancelled and deleted.',
    },
    async run(context) {
      const { platform, db, who, say, texts } = context;
      const addresses = addressesOf(context);
      const credentials = oscarCredentials.safeParse(await readConnection(platform, 'oscar'));
      if (!credentials.success) throw new CommandRefused('OSCAR is not connected (emr connect).');
      const known = {
        codes: await keptSlotCodes(db),
        types: (await knownTypes(db)).flatMap((type) =>
          type.active && type.form !== 'refill' ? { code: type.code, name: nameInEmr(type) } : [],
        ),
        doctors: await keptPolicies(db),
        providers: await keptProviders(db),
        familyDoctorIds: platform.config.familyDoctorIds,
        ticklersTo: platform.config.ticklersTo ?? null,
        now: who.now,
      };
      const { client: consumer, programId } = credentials.data;
      let isWrong = false;
      for (const [at, oscar] of oscarsAt(addresses, credentials.data).entries()) {
        const testPatient = at === 0 ? (texts.book ?? null) : null;
        const base = addresses[at] ?? '';
        say(base);
        const access = { base, consumer, programId };
        for (const each of await examineOscar(oscar, access, { ...known, testPatient })) {
          say(`  ${each.state.padEnd(5)}  ${each.what.padEnd(11)}  ${each.says}`);
          if (each.cure !== undefined) say(`${' '.repeat(22)}→ ${each.cure}.`);
          isWrong ||= each.state === 'wrong';
        }
      }
      if (isWrong) throw new CommandRefused('What is wrong keeps patients from booking.');
    },
  },
  'patients match': {
    summary:
      'Say which chart of OSCAR is a patient’s, where only staff can tell, or which it is in place of another.',
    arguments: PATIENT,
    options: {
      '--record <number>':
        'The demographic number in OSCAR. One that was merged stands for the chart that it went into.',
      '--none': 'None of those that may be theirs: they get a new one when they book.',
      '--appointments <move or stay>':
        'For a patient who has another chart: whether what is booked ahead goes along.',
    },
    async run(context) {
      const { platform, who, say, texts, flags } = context;
      const addresses = addressesOf(context);
      const credentials = oscarCredentials.safeParse(await readConnection(platform, 'oscar'));
      if (!credentials.success) throw new CommandRefused('OSCAR is not connected (emr connect).');
      const { record = '', appointments } = texts;
      if (
        flags.includes('none') === (record !== '') ||
        (record !== '' && !/^[1-9]\d{0,9}$/.test(record))
      )
        throw new CommandRefused('Give the number with --record, or --none.');
      const what = (['move', 'stay'] as const).find((each) => each === appointments);
      if (appointments !== what) throw new CommandRefused('--appointments is move or stay.');
      const own = await wantedPatient(context);
      const emr = emrOn(
        platform,
        oscarsAt(addresses, credentials.data),
        credentials.data.programId,
      );
      const withEmr = { ...platform, emr };
      const asked = record === '' ? null : record;
      const shown = await spoken(() => chartsOfPatient(withEmr, own.id, asked, who.now));
      if (shown instanceof Refusal) throw refusedBy(shown);
      await noteLook(platform, lookAtCharts(shown), who);
      say(...chartLines(shown));
      const decision = {
        chosen: asked,
        apartFrom: asked === null ? shown.likely.map(({ id }) => id) : [],
        seen: shown.seen,
        appointments: what,
        by: { mayDecide: true, isFactorRecent: true },
      };
      const decided = await spoken(() => decideChart(withEmr, own.id, decision, who));
      if (decided instanceof Refusal) throw refusedBy(decided);
      const name = fullName(own);
      const { chart, moved } = decided;
      if (chart === null) return say(`${name} gets a new chart of OSCAR when they book.`);
      say(`${name} has record ${chart.id} of OSCAR: ${fullName(chart)}.`);
      if (asked !== chart.id) say(`Record ${asked} was merged into it.`);
      if (moved > 0) say(`What is booked ahead goes along: ${counted(moved, 'appointment')}.`);
    },
  },
  'emr status': {
    summary: 'Say when the EMR was read last, whether it answers, and what it was never sent.',
    async run({ db, who, say }) {
      const [{ wholeAt, unread }, health] = [await lastSync(db), await emrHealth(db, who.now)];
      if (wholeAt === 0)
        return say(
          'No EMR was read yet.',
          ...(health.kind === 'answers' ? [] : healthLines(health)),
        );
      say(
        `All of its days were read last at ${formatAppointment(wholeAt)}.`,
        ...healthLines(health),
      );
      for (const day of unread) {
        const [provider = '', date = ''] = day.split(' ');
        say(
          `It cannot read ${date} of provider ${provider}, where nothing is offered: a row of that day lacks its patient or its time (docs/emr.md).`,
        );
      }
      const documents = await countDocumentsNotInEmr(db);
      if (documents > 0)
        say(
          `It was never sent ${counted(documents, 'document')} that staff accepted (docs/emr.md).`,
        );
    },
  },
};

const DAY_SECONDS = 86_400;

/** Nothing renews a token: the user who connects is told when it ends, and what ends with it. */
const untilTokenEnds = ({ tokenEndsAt, tokenSeconds = 0 }: OscarCredentials): string[] =>
  tokenEndsAt === undefined
    ? []
    : [
        `OSCAR takes its token until ${formatAppointment(tokenEndsAt)}, and nothing renews it. From then on no chart is opened for a new patient, and no document or tickler is written, until somebody connects it again. Booking, moving and cancelling go on.`,
        ...(tokenSeconds < DAY_SECONDS
          ? [
              'A clinic cannot run on that: ask whoever installed its OSCAR for tokens that live for years. CARLOS, as it comes, has none.',
            ]
          : []),
      ];

/** The verifier out of what a person copies: OSCAR shows it as `oauth_verifier=…`, or in an address. */
const verifierIn = (text: string) =>
  /oauth_verifier=([\w-]+)/.exec(text)?.[1] ?? text.replaceAll(/^[\s"'“”]+|[\s"'“”]+$/g, '');

/** What `emr status` and `status` say of an EMR that does not do all that is asked of it. */
export function healthLines({
  kind,
  isBookingPaused,
  isFollowed,
  refused,
  ending,
  since,
  asOf,
}: EmrHealth): string[] {
  const keys = refused.map(({ key, why, since: at }) => {
    const name = KEY_NAMES[key];
    return `It refuses the ${name} since ${formatAppointment(at)}${why === null ? '' : ` (${why})`}: connect it again (npm run clinic -- emr connect).`;
  });
  return [
    ...(kind === 'answers' ? ['It answers, and takes both keys.'] : []),
    ...(kind === 'silent' ? [`It does not answer since ${formatAppointment(since)}.`] : []),
    ...keys,
    ...(kind === 'refused' && keys.length === 0
      ? [
          `It answers, and refuses since ${formatAppointment(since)} what is asked: look with npm run clinic -- emr check.`,
        ]
      : []),
    ...(isBookingPaused ? ['Patients cannot book.'] : []),
    ...(isFollowed ? [] : [`They see the times as of ${formatAppointment(asOf)}.`]),
    ...ending.map(
      ({ key, endsAt }) =>
        `The ${KEY_NAMES[key]} ends at ${formatAppointment(endsAt)}: connect it again before (npm run clinic -- emr connect).`,
    ),
  ];
}

const KEY_NAMES = { login: 'SOAP login', token: 'REST token' } as const;

function addressesOf({ platform }: CommandContext): readonly [string, ...string[]] {
  const [first, ...others] = platform.config.emrAddresses ?? [];
  if (first === undefined)
    throw new CommandRefused('EMR_URL is not set: which address has the clinic’s OSCAR?');
  return [first, ...others];
}

/** The file's contents are secrets, so no message repeats any of them. */
function accessIn(file: { readonly base64: string }): OscarAccess {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(file.base64, 'base64').toString('utf8'));
  } catch {
    throw new CommandRefused('The file is no JSON.');
  }
  const { data, error } = oscarAccess.safeParse(parsed);
  if (data) return data;
  const where = error.issues.map(({ path }) => path.join('.') || 'the file').join(', ');
  throw new CommandRefused(`The file is not as docs/emr.md has it: ${where}.`);
}

/** Turns OSCAR's errors into refusals: the operator must fix them, they are not bugs. */
async function spoken<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && error.name === 'OscarOffline')
      throw new CommandRefused(`${error.message}. ${cureOfSilence(error.message)}.`);
    if (error instanceof Error && /^(Oscar|Emr)/.test(error.name))
      throw new CommandRefused(`${error.message}.`);
    throw error;
  }
}

/** The account and the charts one beneath the other, with the numbers masked as at the desk. */
function chartLines({ own, present, presentNumber, likely, ahead }: ChartsOfPatient): string[] {
  const line = (what: string, each: Omit<Chart, 'id' | 'numbers' | 'state'>) =>
    [
      what.padEnd(14),
      listedName(each),
      each.birthDate || '-',
      each.card ? `${each.card.province} ${maskedCard(each.card.number)}` : 'no card',
      each.phones.join(' ') || 'no phone',
      each.address || 'no address',
    ].join('  ');
  const chart = (what: string, each: ChartsOfPatient['likely'][number]) =>
    [
      line(what, each),
      ...(each.state === 'active' ? [] : [each.state]),
      ...(each.recordOfAnother === null ? [] : ['another account’s']),
    ].join('  ');
  const account = {
    ...own,
    card: own.cardNumber === '' ? null : { province: own.cardProvince, number: own.cardNumber },
    phones: [own.mobilePhone, own.phone, own.internationalPhone].filter(Boolean),
    address: [own.address, own.city, own.province, own.postal].filter(Boolean).join(', '),
  };
  return [
    line('account', account),
    ...(present ? [chart(`has ${present.id}`, present)] : []),
    ...(presentNumber !== null && !present
      ? [`has ${presentNumber}, which OSCAR has no more`]
      : []),
    ...likely.map((each) => chart(`record ${each.id}`, each)),
    ...(ahead.length === 0 ? [] : [`It has ${counted(ahead.length, 'appointment')} ahead.`]),
  ];
}
