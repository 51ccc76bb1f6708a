import { formatAppointment } from '@clinic/domain';

import { standingOf } from '@clinic/service/modules/appointments/index.ts';
import {
  type FoundPatient,
  type PatientChange,
  blockPatient,
  changePatient,
  closeAccount,
  findPatient,
  listPatients,
  unblockPatient,
  pendingSignUps,
} from '@clinic/service/modules/patients/index.ts';
import {
  type Command,
  type CommandContext,
  CommandRefused,
  type Given,
  LIMIT_OPTION,
  counted,
  irrevocable,
  wantedArgument,
  wantedCount,
} from './command.ts';

const LONGEST_REASON = 300;
const PATIENT = { '<patient>': 'The id, the record number or the e-mail address.' };

async function wantedPatient({ platform }: CommandContext, given: Given): Promise<FoundPatient> {
  const named = wantedArgument(given, 'patient');
  const found = await findPatient(platform.database.db, named);
  if (found === null) throw new CommandRefused(`There is no patient '${named}'.`);
  return found;
}

const whoOf = ({ platform, actor }: CommandContext) => ({ actor, now: platform.clock.now() });

const list: Command = {
  name: 'patients list',
  summary:
    'List patients by name, with what keeps them from booking, and sign-ups not confirmed yet.',
  options: {
    '--search <text>': 'Part of a name or of an e-mail address.',
    '--blocked': 'Only those who are blocked.',
    ...LIMIT_OPTION,
  },
  async run(context, given) {
    const { platform, say } = context;
    const sought = given.texts.search?.trim() ?? '';
    const search = {
      text: sought === '' ? null : sought,
      blocked: given.flags.includes('blocked'),
      limit: wantedCount(given, 50),
    };
    const rows = await listPatients(platform, search, whoOf(context));
    for (const row of rows)
      say(
        [
          row.id,
          row.recordId,
          `${row.lastName}, ${row.firstName}`,
          row.email,
          row.eligibility,
          ...marksOf(row),
        ].join('  '),
      );
    if (search.blocked) return say(`${counted(rows.length, 'patient')}.`);
    const now = platform.clock.now();
    const signUps = await pendingSignUps(platform.database.db, { ...search, now });
    for (const { lastName, firstName, email, expiresAt } of signUps)
      say(['sign-up', `${lastName}, ${firstName}`, email, untilOf(expiresAt)].join('  '));
    say(`${counted(rows.length, 'patient')}, ${counted(signUps.length, 'sign-up')} not confirmed.`);
  },
};

const untilOf = (expiresAt: number | null): string =>
  expiresAt === null
    ? 'waits for its link without end'
    : `waits for its link until ${formatAppointment(expiresAt)}`;

function marksOf(row: FoundPatient): string[] {
  const reason = row.blockedReason === null ? '' : `: ${row.blockedReason}`;
  const without = row.disabledTypes.length > 0 ? [`without ${row.disabledTypes.join(' ')}`] : [];
  if (row.closedAt !== null) return ['closed', ...without];
  if (row.blocked) return [`blocked${reason}`, ...without];
  return [
    ...(row.visibility.includes('appointment') ? [] : ['lacks visibility: may only sign out']),
    ...(row.bookingBlocked ? [`may not book${reason}`] : []),
    ...without,
  ];
}

const block: Command = {
  name: 'patients block',
  summary: 'Block an account and end its sessions, with a reason that the patient is not shown.',
  arguments: PATIENT,
  options: {
    '--reason <text>': 'Why, for the clinic alone; such as: an agency, not a person.',
    '--booking-only': 'May still sign in, see and cancel, but not book.',
  },
  async run(context, given) {
    const reason = given.texts.reason?.trim() ?? '';
    if (reason === '') throw new CommandRefused('Give the reason with --reason.');
    if (reason.length > LONGEST_REASON)
      throw new CommandRefused(`The reason has at most ${LONGEST_REASON} characters.`);
    const { id } = await wantedPatient(context, given);
    const bookingOnly = given.flags.includes('booking-only');
    await blockPatient(context.platform, id, { reason, bookingOnly }, whoOf(context));
    context.say(bookingOnly ? 'May no longer book.' : 'Blocked; every session is ended.');
  },
};

const unblock: Command = {
  name: 'patients unblock',
  summary: 'Let a blocked patient sign in and book again.',
  arguments: PATIENT,
  async run(context, given) {
    const found = await wantedPatient(context, given);
    await unblockPatient(context.platform, found, whoOf(context));
    context.say(found.closedAt === null ? 'Unblocked.' : 'The account is closed, and stays so.');
  },
};

const change: Command = {
  name: 'patients set',
  summary: 'Set the eligibility, the responsible provider or the types of a patient.',
  arguments: PATIENT,
  options: {
    '--eligibility <text>': 'E, NR, R or NE.',
    '--mrp <text>': 'The id of the responsible provider, or none.',
    '--without-types <text>':
      'Types that this patient is not offered, such as V,PP; none offers all again.',
  },
  async run(context, given) {
    const { mrp, eligibility, 'without-types': without } = given.texts;
    const wanted: PatientChange = {
      ...(eligibility !== undefined && { eligibility }),
      ...(mrp !== undefined && { mrp: mrp === 'none' ? null : mrp }),
      ...(without !== undefined && { withoutTypes: listOf(without) }),
    };
    if (Object.keys(wanted).length === 0)
      throw new CommandRefused('Say what to set: --eligibility, --mrp or --without-types.');
    const found = await wantedPatient(context, given);
    const why = await changePatient(context.platform, found, wanted, whoOf(context));
    if (why !== null) throw new CommandRefused(why);
    context.say('Set.');
  },
};

const listOf = (text: string): string[] =>
  text === 'none'
    ? []
    : text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '');

const close = irrevocable({
  name: 'accounts close',
  summary: 'Close an account: nobody signs in any more, and its records are kept.',
  arguments: PATIENT,
  async foresee(context, given) {
    const { id, firstName, lastName, email } = await wantedPatient(context, given);
    const { platform, say } = context;
    const { db } = platform.database;
    const { booked, held } = await standingOf(db, id, platform.clock.now());
    say(`The account of ${firstName} ${lastName}, ${email}, would be closed for good:`);
    say('every session ends, nobody signs in with it again; the records are kept.');
    if (held) say('The time that is held would be given back.');
    say(
      `Still standing afterwards: ${counted(booked, 'appointment')}. No mail is sent, and nothing is refunded.`,
    );
  },
  async run(context, given) {
    const { id } = await wantedPatient(context, given);
    const appointments = await closeAccount(context.platform, id, whoOf(context));
    context.say('Closed; every session is ended. The records are kept as long as they must be.');
    if (appointments > 0) context.say(`Still standing: ${counted(appointments, 'appointment')}.`);
  },
});

export const patientCommands: readonly Command[] = [list, block, unblock, change, close];
