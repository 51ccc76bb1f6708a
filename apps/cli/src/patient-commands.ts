import { accessOf, formatAppointment, fullName, listedName } from '@clinic/domain';
import { standingOf } from '@clinic/service/modules/appointments/index.ts';
import { heldPayments } from '@clinic/service/modules/payments/index.ts';
import {
  type PatientChange,
  blockPatient,
  changePatient,
  closeAccount,
  unblockPatient,
} from '@clinic/service/modules/patients/index.ts';
import {
  type Account,
  bounceOf,
  emailsOfAccounts,
  findPatient,
  patientsByName,
  pendingSignUps,
  recordBounce,
} from '@clinic/service/modules/accounts/index.ts';
import { listColleagues } from '@clinic/service/modules/staff/index.ts';
import { unclearAddresses } from '@clinic/service/server/email-spellings.ts';
import { noteLook } from '@clinic/service/server/audited-reads.ts';
import {
  type CommandContext,
  CommandRefused,
  type Commands,
  LIMIT_OPTION,
  counted,
  refusedBy,
  wantedCount,
} from './command.ts';

const LONGEST_REASON = 300;
export const PATIENT = { '<patient>': 'The id, the record number or the e-mail address.' };

const withPayments = (platform: CommandContext['platform']) => ({
  ...platform,
  heldPayments: heldPayments(platform),
});

export async function wantedPatient({ db, texts }: CommandContext): Promise<Account> {
  const { patient: named = '' } = texts;
  const found = await findPatient(db, named);
  if (found === null) throw new CommandRefused(`There is no patient '${named}'.`);
  return found;
}

/** Accounts whose addresses are unclear by today's rules. They are merged or corrected by hand. */
export async function addressesToSeeTo(db: CommandContext['db']) {
  const ofStaff = (await listColleagues(db)).filter(({ closedAt }) => closedAt === null);
  return [
    ...unclearAddresses(await emailsOfAccounts(db)).map((each) => ({ whose: 'patient', ...each })),
    ...unclearAddresses(ofStaff).map((each) => ({ whose: 'staff', ...each })),
  ];
}

export const patientCommands: Commands = {
  'patients list': {
    summary:
      'List patients by name, with what keeps them from booking, and sign-ups not confirmed yet.',
    options: {
      '--search <text>': 'Part of a name or of an e-mail address.',
      '--blocked': 'Only those who are blocked.',
      '--bounced': 'Only those from whose address an email came back.',
      ...LIMIT_OPTION,
    },
    async run({ platform, db, who, say, texts, flags }) {
      const search = {
        text: texts.search?.trim() || null,
        blocked: flags.includes('blocked'),
        bounced: flags.includes('bounced'),
        limit: wantedCount(texts, 50),
      };
      const rows = await patientsByName(db, search);
      const records = rows.map(({ recordId }) => recordId);
      await noteLook(
        platform,
        { action: 'patients listed', subject: 'patients:all', records },
        who,
      );
      for (const row of rows) {
        const { id, recordId, email, eligibility } = row;
        const person = [id, recordId, listedName(row), email, eligibility];
        say([...person, ...marksOf(row)].join('  '));
      }
      if (search.blocked || search.bounced) return say(`${counted(rows.length, 'patient')}.`);
      const signUps = await pendingSignUps(db, { ...search, now: who.now });
      for (const { email, expiresAt, ...named } of signUps) {
        const until = expiresAt === null ? 'without end' : `until ${formatAppointment(expiresAt)}`;
        say(`sign-up  ${listedName(named)}  ${email}  waits for its link ${until}`);
      }
      say(
        `${counted(rows.length, 'patient')}, ${counted(signUps.length, 'sign-up')} not confirmed.`,
      );
    },
  },
  bounce: {
    summary:
      'Read an email that came back from standard input, and mark the address it was sent to.',
    readsInput: true,
    options: { '--file <file>': 'A file that has it, in place of standard input.' },
    async run({ platform, who, say, file }) {
      const message = Buffer.from(file?.base64 ?? '', 'base64').toString('latin1');
      const found = await recordBounce(platform, message, who);
      say(found === 'marked' ? 'The address is marked.' : NOT_MARKED[found]);
    },
  },
  'patients block': {
    summary: 'Block an account and end its sessions, with a reason that the patient is not shown.',
    arguments: PATIENT,
    options: {
      '--reason <text>': 'Why, for the clinic alone; such as: an agency, not a person.',
      '--booking-only': 'May still sign in, see and cancel, but not book.',
    },
    async run(context) {
      const { platform, who, say, texts, flags } = context;
      const reason = texts.reason?.trim() ?? '';
      if (reason === '') throw new CommandRefused('Give the reason with --reason.');
      if (reason.length > LONGEST_REASON)
        throw new CommandRefused(`The reason has at most ${LONGEST_REASON} characters.`);
      const { id } = await wantedPatient(context);
      const bookingOnly = flags.includes('bookingOnly');
      await blockPatient(withPayments(platform), id, { reason, bookingOnly }, who);
      say(bookingOnly ? 'May no longer book.' : 'Blocked; every session is ended.');
    },
  },
  'patients unblock': {
    summary: 'Let a blocked patient sign in and book again.',
    arguments: PATIENT,
    async run(context) {
      const found = await wantedPatient(context);
      await unblockPatient(context.platform, found, context.who);
      context.say(found.closedAt === null ? 'Unblocked.' : 'The account is closed, and stays so.');
    },
  },
  'patients set': {
    summary: 'Set the eligibility, the responsible provider or the types of a patient.',
    arguments: PATIENT,
    options: {
      '--eligibility <text>': 'E, NR, R or NE.',
      '--mrp <text>': 'The id of the responsible provider, or none.',
      '--without-types <text>':
        'Types that this patient is not offered, such as V,PP; none offers all again.',
    },
    async run(context) {
      const { mrp, eligibility, withoutTypes } = context.texts;
      const wanted: PatientChange = {
        ...(eligibility !== undefined && { eligibility }),
        ...(mrp !== undefined && { providerId: mrp === 'none' ? null : mrp }),
        ...(withoutTypes !== undefined && { withoutTypes: listOf(withoutTypes) }),
      };
      if (Object.keys(wanted).length === 0)
        throw new CommandRefused('Say what to set: --eligibility, --mrp or --without-types.');
      const found = await wantedPatient(context);
      const refused = await changePatient(context.platform, found, wanted, context.who);
      if (refused !== null) throw refusedBy(refused);
      context.say('Set.');
    },
  },
  'accounts addresses': {
    summary:
      'List open accounts, of patients and of staff, that have one address in two spellings, or one that takes no email.',
    async run({ db, say }) {
      const found = await addressesToSeeTo(db);
      for (const { whose, account, others } of found) {
        const same = others.map(({ id, email }) => `the same as ${email} of ${id}`);
        const why = same.length > 0 ? same : ['no email can be sent to it'];
        say([whose, account.id, account.email, ...why].join('  '));
      }
      say(`${counted(found.length, 'account')}.`);
    },
  },
  'accounts close': {
    summary: 'Close an account: nobody signs in any more, and its records are kept.',
    arguments: PATIENT,
    async foresee(context) {
      const { id, email, ...named } = await wantedPatient(context);
      const { db, who, say } = context;
      const { booked, held } = await standingOf(db, id, who.now);
      say(
        `The account of ${fullName(named)}, ${email}, would be closed for good:`,
        'every session ends, nobody signs in with it again; the records are kept.',
      );
      if (held) say('The time that is held would be given back.');
      say(
        `Still standing afterwards: ${counted(booked, 'appointment')}. No mail is sent, and nothing is refunded.`,
      );
    },
    async run(context) {
      const { id } = await wantedPatient(context);
      const { platform, who, say } = context;
      const appointments = await closeAccount(withPayments(platform), id, who);
      say('Closed; every session is ended. The records are kept as long as they must be.');
      if (appointments > 0) say(`Still standing: ${counted(appointments, 'appointment')}.`);
    },
  },
};

const NOT_MARKED = {
  noReport: 'Nothing was marked: this is no report about an email of ours.',
  notFailed: 'Nothing was marked: the email has not failed.',
  unknown: 'Nothing was marked: no account has that address any longer.',
};

/** What keeps a patient from booking, and whether our emails bounce. */
function marksOf(row: Account): string[] {
  const bounce = bounceOf(row);
  if (bounce === null || row.closedAt !== null) return blocksOf(row);
  const status = bounce.status === null ? '' : ` (${bounce.status})`;
  return [...blocksOf(row), `an email came back ${formatAppointment(bounce.at)}${status}`];
}

function blocksOf(row: Account): string[] {
  const reason = row.blockedReason === null ? '' : `: ${row.blockedReason}`;
  const without = row.disabledTypes.length > 0 ? [`without ${row.disabledTypes.join(' ')}`] : [];
  const { block, signIn } = accessOf(row);
  if (row.closedAt !== null) return ['closed', ...without];
  if (block === 'account') return [`blocked${reason}`, ...without];
  return [
    ...(signIn === null ? [] : ['lacks visibility: may only sign out']),
    ...(block === 'booking' ? [`may not book${reason}`] : []),
    ...without,
  ];
}

const listOf = (text: string): string[] =>
  text === 'none'
    ? []
    : text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '');
