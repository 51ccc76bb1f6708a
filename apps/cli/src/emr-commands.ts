import { formatAppointment } from '@clinic/domain';
import {
  type OscarAccess,
  askForConsent,
  oscarAccess,
  oscarAsking,
  oscarCredentials,
  oscarsAt,
  takeConsent,
} from '@clinic/service/adapters/emr-oscar/connection.ts';
import { examineOscar } from '@clinic/service/adapters/emr-oscar/examine.ts';
import { emrReadAt, emrSilence } from '@clinic/service/modules/appointments/index.ts';
import { countDocumentsNotInEmr, matchRecord } from '@clinic/service/modules/patients/index.ts';
import type { RecordId } from '@clinic/service/modules/records/emr.ts';
import {
  keepConnection,
  keptSlotCodes,
  readConnection,
} from '@clinic/service/modules/records/index.ts';
import { emrOn } from '@clinic/service/open-emr.ts';
import { type CommandContext, CommandRefused, type Commands, counted } from './command.ts';
import { PATIENT, wantedPatient } from './patient-commands.ts';

const ASKING = 'oscar-asking';

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
      const { platform, who, say, file, texts } = context;
      const [base] = addressesOf(context);
      if (file) {
        const { asking, authorizeAt } = await spoken(() => askForConsent(base, accessIn(file)));
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
      const credentials = await spoken(() => takeConsent(base, asking.data, verifier.trim()));
      await keepConnection(platform, { id: 'oscar', credentials }, who);
      say('OSCAR is connected. Restart the service, and look with npm run clinic -- emr check.');
    },
  },
  'emr check': {
    summary: 'Look whether the clinic’s OSCAR is as the service needs it.',
    options: {
      '--patient <number>':
        'The demographic number of a test patient: an appointment is written and cancelled.',
    },
    async run(context) {
      const { platform, db, who, say, texts } = context;
      const addresses = addressesOf(context);
      const credentials = oscarCredentials.safeParse(await readConnection(platform, 'oscar'));
      if (!credentials.success) throw new CommandRefused('OSCAR is not connected (emr connect).');
      const codes = (await keptSlotCodes(db)).flatMap(({ code, types }) =>
        types.length > 0 ? code : [],
      );
      let isWrong = false;
      for (const [at, oscar] of oscarsAt(addresses, credentials.data).entries()) {
        const testPatient = at === 0 ? (texts.patient ?? null) : null;
        say(addresses[at] ?? '');
        for (const each of await examineOscar(oscar, { codes, now: who.now, testPatient })) {
          say(`  ${each.state.padEnd(5)}  ${each.what.padEnd(11)}  ${each.says}`);
          isWrong ||= each.state === 'wrong';
        }
      }
      if (isWrong) throw new CommandRefused('What is wrong keeps patients from booking.');
    },
  },
  'patients match': {
    summary: 'Say which record of OSCAR is a patient’s, where only staff can tell.',
    arguments: PATIENT,
    options: { '--record <number>': 'The demographic number in OSCAR.' },
    async run(context) {
      const { platform, who, say, texts } = context;
      const addresses = addressesOf(context);
      const credentials = oscarCredentials.safeParse(await readConnection(platform, 'oscar'));
      if (!credentials.success) throw new CommandRefused('OSCAR is not connected (emr connect).');
      const { record = '' } = texts;
      if (!/^[1-9]\d{0,9}$/.test(record))
        throw new CommandRefused('Give the number with --record.');
      const own = await wantedPatient(context);
      const emr = emrOn(
        platform,
        oscarsAt(addresses, credentials.data),
        credentials.data.programId,
      );
      const theirs = await spoken(() => emr.findPatient({ id: record as RecordId }));
      if (theirs.kind !== 'one') throw new CommandRefused(`OSCAR has no record ${record}.`);
      const { firstName, lastName, birthDate } = theirs.record;
      if (birthDate !== own.birthDate)
        throw new CommandRefused(
          `Record ${record} is of somebody born on ${birthDate || 'no date'}, the account of somebody born on ${own.birthDate}. Mend the one that is wrong first.`,
        );
      const why = await matchRecord(
        platform,
        { patientId: own.id, recordId: own.recordId, emrId: record },
        who,
      );
      if (why !== null) throw new CommandRefused(why);
      say(
        `${own.firstName} ${own.lastName} has record ${record} of OSCAR: ${firstName} ${lastName}.`,
      );
    },
  },
  'emr status': {
    summary: 'Say when the EMR was read last, whether it answers, and what it was never sent.',
    async run({ db, who, say }) {
      const [readAt, silence] = [await emrReadAt(db), await emrSilence(db, who.now)];
      if (readAt === null) return say('No EMR was read yet.');
      say(
        `All of its days were read last at ${formatAppointment(readAt)}.`,
        silence === null
          ? 'It answers.'
          : `It does not answer since ${formatAppointment(silence.since)}; patients see the times as of ${formatAppointment(silence.asOf)}.`,
      );
      const documents = await countDocumentsNotInEmr(db);
      if (documents > 0)
        say(
          `It was never sent ${counted(documents, 'document')} that staff accepted (docs/emr.md).`,
        );
    },
  },
};

function addressesOf({ platform }: CommandContext): readonly [string, ...string[]] {
  const [first, ...others] = platform.config.emrAddresses ?? [];
  if (first === undefined)
    throw new CommandRefused('EMR_URL is not set: which address has the clinic’s OSCAR?');
  return [first, ...others];
}

/** The file's contents are secrets, so no message repeats any of them. */
function accessIn(file: { readonly base64: string }): OscarAccess {
  let said: unknown;
  try {
    said = JSON.parse(Buffer.from(file.base64, 'base64').toString('utf8'));
  } catch {
    throw new CommandRefused('The file is no JSON.');
  }
  const { data, error } = oscarAccess.safeParse(said);
  if (data) return data;
  const where = error.issues.map(({ path }) => path.join('.') || 'the file').join(', ');
  throw new CommandRefused(`The file is not as docs/emr.md has it: ${where}.`);
}

/** Turns OSCAR's errors into refusals: the operator must fix them, they are not bugs. */
async function spoken<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && /^(Oscar|Emr)/.test(error.name))
      throw new CommandRefused(`${error.message}.`);
    throw error;
  }
}
