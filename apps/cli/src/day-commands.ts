import { setTimeout as pause } from 'node:timers/promises';
import {
  addDays,
  formatAppointment,
  formatFee,
  isClinicDate,
  startOfDay,
  toClinic,
  toInstant,
  withoutControls,
} from '@clinic/domain';
import {
  type OverlappedAppointment,
  appointments,
  overlappedAppointments,
} from '@clinic/service/modules/appointments/index.ts';
import {
  type GivenUp,
  closeTime,
  previewClosing,
  givenUpIn,
  workOnClosing,
} from '@clinic/service/modules/closings/index.ts';
import { isDoctor } from '@clinic/service/modules/records/index.ts';
import {
  type OutsideSchedule,
  type ToldSince,
  outsideSchedule,
  statisticsFile,
  toldSince,
} from '@clinic/service/modules/operations/index.ts';
import { noteLook } from '@clinic/service/server/audited-reads.ts';
import { type CommandContext, CommandRefused, type Commands, counted } from './command.ts';
import { emrBook } from '@clinic/service/modules/emr/index.ts';

export const dayCommands: Commands = {
  'cancel-day': {
    summary: 'Cancel a day of a doctor: the patients are told by mail and get their money back.',
    arguments: { '<doctor>': 'The id of the doctor.', '<date>': 'Such as 2026-12-01.' },
    async foresee(context) {
      const { platform, who, say } = context;
      const { doctor, time } = await wantedDay(context);
      const { cancelled, released, underWay } = await previewClosing(platform, time, who.now);
      const refunds = cancelled.filter(({ everPaid }) => everPaid > 0);
      const mails = [...cancelled, ...refunds].filter(({ patientId }) => patientId !== null);
      const cents = refunds.reduce((sum, { everPaid }) => sum + everPaid, 0);
      say(
        ...cancelled.map(whatBecomesOf),
        `The day of ${doctor} would be closed: nothing of it is offered any more.`,
        `${counted(cancelled.length, 'appointment')} would be cancelled with ${counted(mails.length, 'mail')}, ${counted(refunds.length, 'refund')} of ${formatFee(cents)} in all, ${counted(released.length, 'held time')} taken back.`,
      );
      if (underWay.length > 0)
        say(`${underWay.length} are being booked at this moment and would stay.`);
    },
    async run(context) {
      const { platform, db, who, say } = context;
      const { time } = await wantedDay(context);
      const requestKey = platform.ids.uuid();
      const closed = await closeTime(platform, { ...time, requestKey }, who);
      if (closed.kind !== 'closed') throw new Error('A new key names no other closing');
      const { id } = closed;
      await workOff({ ...platform, appointments, emrBook }, id);
      const given = await givenUpIn(db, platform.parts, id);
      const of = (...outcomes: readonly GivenUp['outcome'][]) =>
        given.filter(({ outcome }) => outcomes.includes(outcome));
      const cancelled = of('cancelled', 'cancelSent');
      const left = of(null, 'stays').length;
      say(
        ...cancelled.map(whatBecomesOf),
        `${counted(cancelled.length, 'appointment')} cancelled, ${counted(of('released').length, 'held time')} taken back.`,
      );
      if (of('cancelSent').length > 0) say('The EMR hears of it from the running service.');
      if (left > 0)
        say(
          `${left} are being booked at this moment: the running service cancels them afterwards.`,
        );
    },
  },
  'outside-schedule': {
    summary:
      'List appointments ahead that the schedule would not offer as they stand: they stay as booked.',
    async run({ db, who, say }) {
      const outside = await outsideSchedule(db, who.now);
      say(...outside.map(whyOutside));
      say(
        outside.length === 0
          ? 'Every appointment ahead is as the schedule offers it.'
          : `${counted(outside.length, 'appointment')} outside of the schedule; each stands until it is moved or cancelled.`,
      );
    },
  },
  overlaps: {
    summary:
      'List appointments ahead over whose time staff have put another in the EMR: they stay as booked.',
    async run({ db, who, say }) {
      const overlapped = await overlappedAppointments(db, who.now);
      say(
        ...overlapped.map(whatStands),
        overlapped.length === 0
          ? 'No appointment ahead is overlapped.'
          : `${counted(overlapped.length, 'appointment')} overlapped; each stands until it is moved or cancelled.`,
      );
    },
  },
  'told-since': {
    summary:
      'List what patients were told of appointments since an instant: whom to call when the database is restored to it.',
    arguments: { '<date>': 'Such as 2026-12-01.', '<time>': 'Such as 09:30.' },
    async run({ platform, db, who, say, texts: { date = '', time = '' } }) {
      const since = toInstant(wantedDate(date, '<date>'), wantedTime(time));
      const told = await toldSince(db, since);
      const records = told.map(({ recordId }) => recordId);
      const look = { action: 'patients listed', subject: 'patients:told', records } as const;
      await noteLook(platform, look, who);
      say(...told.map(whatWasTold), `${counted(told.length, 'appointment')} changed since then.`);
    },
  },
  statistics: {
    summary: 'Bookings, patients, minutes and cancellations by month and doctor, as a CSV file.',
    options: {
      '--from <text>': 'The first day; a year ago unless said otherwise.',
      '--to <text>': 'The last day; today unless said otherwise.',
    },
    async run({ db, who, say, give, texts }) {
      const today = toClinic(who.now).date;
      const from = wantedDate(texts.from ?? yearBefore(today), '--from');
      const to = wantedDate(texts.to ?? today, '--to');
      if (to < from) throw new CommandRefused('--to must not come before --from.');
      const { name, rows, csv } = await statisticsFile(db, { from, to });
      give(name, Buffer.from(csv, 'utf8'));
      say(`${counted(rows, 'row')}; the rows of 'all' are the whole clinic's.`);
    },
  },
};

async function wantedDay({ db, who, texts: { doctor = '', date = '' } }: CommandContext) {
  const day = wantedDate(date, '<date>');
  const today = toClinic(who.now).date;
  if (day < today) throw new CommandRefused('This day is over.');
  if (!(await isDoctor(db, doctor))) throw new CommandRefused(`No doctor has the id '${doctor}'.`);
  const time = {
    providerIds: [doctor],
    from: startOfDay(day),
    to: startOfDay(addDays(day, 1)),
  };
  return { doctor, time };
}

const LOOK_AGAIN_MS = 200;

/** Until all is done, or the rest is under way elsewhere. The service may work on it at the same time. */
async function workOff(ports: Parameters<typeof workOnClosing>[0], id: string): Promise<void> {
  for (;;) {
    const turn = await workOnClosing(ports, id);
    if (turn === 'done' || turn === 'waits') return;
    if (turn === 'nothing') await pause(LOOK_AGAIN_MS);
  }
}

function wantedDate(typed: string, what: string): string {
  if (!isClinicDate(typed)) throw new CommandRefused(`${what} must be a date such as 2026-12-01.`);
  return typed;
}

function wantedTime(typed: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(typed)) return typed;
  throw new CommandRefused('<time> must be a time such as 09:30.');
}

const TOLD = {
  booked: 'booked',
  registered: 'checked in',
  cancelled: 'cancelled',
  rescheduled: 'moved away',
} as const;

function whatWasTold({ changedAt, start, state, ...whom }: ToldSince): string {
  const { name, phone, email, recordId } = whom;
  const reached = name === null ? `record ${recordId}, no account` : `${name}, ${phone}, ${email}`;
  return `${formatAppointment(changedAt)}  ${TOLD[state]}: ${formatAppointment(start)}  ${withoutControls(reached)}`;
}

function whatBecomesOf({
  start,
  patientId,
  recordId,
  everPaid,
}: Pick<GivenUp, 'start' | 'patientId' | 'recordId' | 'everPaid'>): string {
  const whose = patientId === null ? `record ${recordId}, no account: please call` : 'told by mail';
  const money = everPaid > 0 ? `, ${formatFee(everPaid)} goes back` : '';
  return `${formatAppointment(start)}  ${whose}${money}`;
}

type Standing = Pick<OverlappedAppointment, 'providerId' | 'type' | 'start' | 'end'>;

const whatStands = ({ providerId, type, start, end }: Standing): string =>
  `${formatAppointment(start)}  provider ${providerId}, ${type}, ${(end - start) / 60} minutes`;

function whyOutside({ endsNow, isHeld, ...standing }: OutsideSchedule): string {
  const why =
    endsNow === null
      ? 'not offered at this time'
      : `would last ${(endsNow - standing.start) / 60} minutes now`;
  return `${whatStands(standing)}: ${why}${isHeld ? ', held for a payment link' : ''}`;
}

/** The first day of the same month a year before. */
const yearBefore = (date: string): string => `${Number(date.slice(0, 4)) - 1}${date.slice(4, 8)}01`;
