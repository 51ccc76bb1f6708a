import { formatAppointment, toClinic } from '@clinic/domain';

import { type Availability, availabilityNow } from '@clinic/service/modules/operations/index.ts';
import { type BookingFacts, bookingFacts } from '@clinic/service/modules/appointments/index.ts';
import { paymentAlarms } from '@clinic/service/modules/payments/index.ts';
import { type OutboxStanding, outboxStanding } from '@clinic/service/database/outbox.ts';
import type { Command } from './command.ts';
import { counted } from './wanted.ts';

const MOST_ALARMS = 20;

export const statusCommand: Command = {
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
