import { formatAppointment, toClinic } from '@clinic/domain';
import { violations } from '@clinic/service/database/invariants.store.ts';
import { type OutboxStanding, outboxStanding } from '@clinic/service/database/outbox.store.ts';
import { type BookingFacts, bookingFacts } from '@clinic/service/modules/appointments/index.ts';
import {
  type Availability,
  announceMaintenance,
  availabilityNow,
  endMaintenance,
} from '@clinic/service/modules/operations/index.ts';
import {
  needsOperator,
  paymentAlarms,
  paymentPorts,
  reconcile,
  reconcileReport,
} from '@clinic/service/modules/payments/index.ts';
import { type Command, CommandRefused, counted } from './command.ts';

const LONGEST_MESSAGE = 300;
const MOST_ALARMS = 20;

const offline: Command = {
  name: 'offline',
  summary: 'Announce maintenance: every patient is signed out and told to come back later.',
  options: {
    '--message <text>':
      'A sentence beneath the maintenance message, such as when you will be back.',
  },
  async run({ platform, actor, say }, given) {
    const message = given.texts.message?.trim() || null;
    if (message !== null && message.length > LONGEST_MESSAGE)
      throw new CommandRefused(
        `The message must not be longer than ${LONGEST_MESSAGE} characters.`,
      );
    await announceMaintenance(platform, { actor, now: platform.clock.now(), message });
    say('Maintenance is announced. Patients are signed out; payments under way still end well.');
    say('npm run clinic -- online ends it.');
  },
};

const online: Command = {
  name: 'online',
  summary: 'End the announced maintenance.',
  async run({ platform, actor, say }) {
    const ended = await endMaintenance(platform, { actor, now: platform.clock.now() });
    say(ended ? 'Maintenance is over.' : 'No maintenance was announced.');
    const now = await availabilityNow(platform);
    if (now.kind === 'recordsOffline') say('But the clinic’s records do not answer.');
  },
};

const status: Command = {
  name: 'status',
  summary: 'Say what keeps patients from booking, and which mails and payments want attention.',
  async run({ platform, say }) {
    const { db } = platform.database;
    const facts = await bookingFacts(db, toClinic(platform.clock.now()).date);
    const takesCards = platform.cardPayments !== undefined;
    for (const line of [
      ...bookingLines(await availabilityNow(platform), facts, takesCards),
      ...mailLines(await outboxStanding(db)),
      ...paymentLines(await paymentAlarms(db, MOST_ALARMS)),
    ])
      say(line);
  },
};

const layBooks: Command = {
  name: 'reconcile',
  summary: 'Lay the card gateway’s books beside ours, and settle what differs.',
  arguments: { '[days]': 'How many days to look back; all of them unless said otherwise.' },
  async run({ platform, say }, { texts: { days } }) {
    if (days !== undefined && !(Number(days) > 0))
      throw new CommandRefused('[days] must be a number above 0.');
    if (!platform.cardPayments) throw new CommandRefused('No card payments are set up.');
    const since = days === undefined ? 0 : platform.clock.now() - Number(days) * 86_400;
    const report = await reconcile(paymentPorts(platform, platform.cardPayments), since);
    for (const line of reconcileReport(report)) say(line);
    if (needsOperator(report)) throw new CommandRefused('What says ALARM is not mended by itself.');
  },
};

const checkInvariants: Command = {
  name: 'check-invariants',
  summary: 'Check that every appointment and its money are whole.',
  async run({ platform, say }) {
    const found = await violations(platform.database.db, platform.clock.now());
    for (const violation of found) say(violation);
    if (found.length > 0) throw new CommandRefused(`${counted(found.length, 'violation')}.`);
    say('All invariants hold.');
  },
};

function bookingLines(now: Availability, facts: BookingFacts, takesCards: boolean): string[] {
  const lacking = [
    ...(facts.types ? [] : ['there are no appointment types (import types)']),
    ...(facts.fees ? [] : ['no type has a fee yet (import fees)']),
    ...(facts.providers ? [] : ['no provider is active and shown (import providers)']),
    ...(facts.schedule ? [] : ['no provider works on any day ahead (import schedule)']),
  ];
  const some =
    facts.charges && !takesCards
      ? ['Nobody can book what costs something: no card payments are set up.']
      : [];
  return [
    ...availabilityLines(now, lacking.length === 0),
    ...lacking.map((why) => `Nobody can book: ${why}.`),
    ...some,
  ];
}

function availabilityLines(now: Availability, canBook: boolean): string[] {
  switch (now.kind) {
    case 'online':
      return [canBook ? 'online: patients can book.' : 'online, but patients cannot book.'];
    case 'recordsOffline':
      return ['offline: the clinic’s records do not answer.'];
    case 'announced': {
      const { since, message } = now.announcement;
      return [
        `offline: maintenance is announced since ${formatAppointment(since)}.`,
        ...(message === null ? [] : [`message: ${message}`]),
      ];
    }
  }
}

function mailLines({ waiting, triedInVain, failed, lastFailed }: OutboxStanding): string[] {
  const vain = triedInVain === 0 ? '' : `, ${triedInVain} of them tried in vain`;
  return [
    `mails: ${waiting} waiting${vain}, ${failed} failed.`,
    ...lastFailed.map(({ kind, payload, at }) => {
      const what = Object.entries(payload).map(([name, value]) => `${name} ${String(value)}`);
      return `  failed ${formatAppointment(at)}  ${kind}: ${what.join(', ')}`;
    }),
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

export const clinicCommands: readonly Command[] = [
  offline,
  online,
  status,
  layBooks,
  checkInvariants,
];
