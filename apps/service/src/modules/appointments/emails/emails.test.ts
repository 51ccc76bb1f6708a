import { english } from '@clinic/contract/english';
import { readCatalogues } from '@clinic/texts/catalogues';
import { PSEUDO, addPseudoLocales, outsideBrackets } from '@clinic/texts/pseudo';
import { beforeAll, describe, expect, test } from 'vitest';

import { allowedChanges, toInstant, whyCannotCancel, whyCannotReschedule } from '@clinic/domain';
import { anAppointment } from '@clinic/domain/testing';

import { type AppointmentFacts, appointmentEmail } from './compose-email.ts';

const clinic = {
  name: 'Harbour Clinic, Vancouver',
  email: 'hello@clinic.example',
  phone: '604-555-0100',
  address: '1 Harbour Road, Vancouver',
  walkInHours: [],
};
const config = { clinic, publicUrl: 'https://book.clinic.example' };
const start = toInstant('2026-12-15', '13:00');
const appointment = {
  appointmentId: 'c1',
  movedByClinic: false,
  bookingNumber: 'AB12CD34EF56',
  sequence: 0,
  mode: 'inPerson' as const,
  start,
  end: start + 300,
  doctor: { firstName: 'Amelia', lastName: 'Stone' },
  changes: allowedChanges(anAppointment({ start }), start - 86_400 - 1),
  keptOut: null,
  mayBookAgain: true,
};
const HOUR = 3600;
const write = (event: 'booked' | 'rescheduled' | 'cancelled', over = {}) =>
  appointmentEmail(
    event,
    { ...appointment, ...over },
    { to: 'new1@practice.example', language: 'en' },
    config,
    start - 86_400,
  );

describe('emails about an appointment (R-84)', () => {
  // Shows: R-84
  test('say the wall time in words and whom the patient sees', () => {
    const { text, subject } = write('booked');
    expect(subject).toBe('Your appointment is booked - Harbour Clinic, Vancouver');
    expect(text).toContain(
      'Tue Dec 15 2026 13:00 British Columbia time (UTC−7 all year), with Dr. A. Stone',
    );
    expect(text).toContain('604-555-0100');
  });

  // Shows: R-42
  test.each([
    ['a consultation by phone', { mode: 'phone' }, 'will call you.', 'By phone'],
    ['a consultation by video', { mode: 'video' }, 'will call you by video.', 'By video'],
  ])('of %s ask nobody to arrive or bring anything (R-42)', (_, over, said, place) => {
    for (const event of ['booked', 'rescheduled'] as const) {
      const { text, calendar } = write(event, over);
      expect(text).toContain(`Our provider ${said}`);
      expect(text).not.toMatch(/arrive|bring/);
      expect(calendar?.content).toContain(`LOCATION:${place}`);
    }
  });

  test('of an injury claim in person say when to arrive and what to bring', () => {
    const { text, calendar } = write('booked', { mode: 'inPerson' });
    expect(text).toContain('Please arrive 15 minutes early and bring a photo ID');
    expect(calendar?.content).toContain('LOCATION:1 Harbour Road\\, Vancouver');
  });

  test('say until when it can be cancelled and rescheduled, and nothing of it once it is over', () => {
    const { text } = write('booked');
    expect(text).toContain(
      'You can cancel it in My Appointments before Tue Dec 15 2026 07:00 BC time.',
    );
    expect(text).toContain(
      'You can reschedule it in My Appointments before Mon Dec 14 2026 13:00 BC time.',
    );
    const over = allowedChanges(anAppointment({ state: 'cancelled' }), start - 86_400);
    expect(write('booked', { changes: over }).text).not.toMatch(/cancel|resched/);
  });

  // Shows: R-96
  test('never promise what the service refuses, and never deny what it allows (R-96)', () => {
    for (const event of ['booked', 'rescheduled'] as const)
      for (const paidNow of [0, 7_500, 13_999, 14_000])
        for (const isCancellable of [true, false])
          for (const hours of [1, 6, 7, 16, 24, 25]) {
            const one = anAppointment({ start, paidNow, isCancellable });
            const now = start - hours * HOUR;
            const { text } = write(event, { changes: allowedChanges(one, now) });
            expect([text.includes('can cancel'), text.includes('can reschedule')]).toEqual([
              whyCannotCancel(one, now) === null,
              whyCannotReschedule(one, now) === null,
            ]);
          }
  });

  // Shows: R-44
  test('about a cancelled appointment name the fee that is kept, and none where nothing was paid (R-44)', () => {
    const paid = anAppointment({ state: 'cancelled', paidNow: 7_500 });
    const changes = allowedChanges(paid, start - 86_400);
    expect(write('cancelled', { changes }).text).toContain(
      'The fee of CAD 75.00 is non-refundable.',
    );
    expect(write('cancelled').text).not.toContain('refund');
  });

  // Shows: R-44
  test('about an appointment that the clinic gave up name what is given back (R-44)', () => {
    const { text } = write('cancelled', { byClinic: { refundedCents: 20_000 } });
    expect(text).toContain('The fee of CAD 200.00 that you paid will be refunded to your card');
    expect(write('cancelled', { byClinic: { refundedCents: 0 } }).text).not.toContain('refund');
  });

  test('about a moved appointment name both times', () => {
    const movedFrom = toInstant('2026-12-14', '09:30');
    expect(write('rescheduled', { movedFrom }).text).toContain(
      'Previous time: Mon Dec 14 2026 09:30',
    );
  });

  // Shows
  test('carry a calendar file in UTC, seven hours ahead of the clinic in winter (R-10)', () => {
    const content = write('booked').calendar?.content ?? '';
    expect(content).toContain('DTSTART:20261215T200000Z\r\n');
    expect(content).toContain('DTEND:20261215T200500Z\r\n');
    expect(content).toContain('METHOD:PUBLISH\r\n');
  });

  // Shows
  test('say how long the appointment lasts, and carry its end, whatever its length (R-90)', () => {
    for (const event of ['booked', 'rescheduled'] as const) {
      const { text, calendar } = write(event, { end: start + 20 * 60 });
      expect(text).toContain('20 minutes, until 13:20');
      expect(calendar?.content).toContain('DTEND:20261215T202000Z\r\n');
    }
  });

  // Shows: R-84
  test('cancel the event that they announced: same UID, higher sequence', () => {
    const booked = write('booked').calendar?.content ?? '';
    const cancelled = write('cancelled', { sequence: 1 }).calendar?.content ?? '';
    const uid = /UID:.*/.exec(booked)?.[0] ?? 'none';
    expect(cancelled).toContain(uid);
    expect(cancelled).toContain('METHOD:CANCEL\r\n');
    expect(cancelled).toContain('SEQUENCE:1\r\n');
    expect(cancelled).toContain('STATUS:CANCELLED\r\n');
  });
});

describe('emails about an appointment in another language (R-99)', () => {
  beforeAll(() => {
    readCatalogues(english);
    addPseudoLocales();
  });
  const moved = { movedFrom: start - 86_400 };
  const paid = {
    receipt: { amountCents: 15_000, paidAt: start - 2 * 86_400, reference: 'R1' },
    changes: allowedChanges(anAppointment({ start, paidNow: 15_000 }), start - 86_400 - 1),
  };
  const late = { changes: allowedChanges(anAppointment({ start }), start - HOUR) };
  const byPhone = { mode: 'phone' as const };
  type Case = readonly ['booked' | 'rescheduled' | 'cancelled', Partial<AppointmentFacts>];
  const cases: readonly Case[] = [
    ['booked', {}],
    ['booked', paid],
    ['booked', late],
    ['booked', byPhone],
    ['booked', { mode: 'video' }],
    ['rescheduled', moved],
    ['cancelled', {}],
    ['cancelled', paid],
    ['cancelled', { byClinic: { refundedCents: 1_000 } }],
  ];

  /** What the email, its page and its calendar file say, without markup and the clinic's own words. */
  const saidIn = (locale: string, [event, over]: Case) => {
    const facts = { ...appointment, ...over };
    const email = appointmentEmail(
      event,
      facts,
      { to: 'new1@practice.example', language: locale },
      config,
      start - 86_400,
    );
    const calendar = (email.calendar?.content ?? '')
      .replaceAll('\r\n ', '')
      .replaceAll('\\,', ',')
      .split('\r\n')
      .filter((line) => /^(SUMMARY|DESCRIPTION|LOCATION):/.test(line))
      .map((line) => line.slice(line.indexOf(':') + 1));
    const page = (email.html ?? '').replace(/<style>.*<\/style>/s, '').replaceAll(/<[^>]+>/g, '\n');
    return [email.subject, email.text, page, ...calendar].join('\n');
  };

  // Shows: R-99
  test.each([...cases])('have every word translated when it is %s', (...each) => {
    let rest = outsideBrackets(saidIn(PSEUDO, each));
    for (const own of [clinic.name, clinic.address]) rest = rest.replaceAll(own, '');
    expect(rest.replaceAll(/https:\S+/g, '').match(/\p{L}+/gu)).toBeNull();

    const sentences = (text: string) =>
      text.split('\n').filter((line) => /\p{L}+ \p{L}+ \p{L}+/u.test(line));
    const own = [clinic.name, clinic.address];
    const french = sentences(saidIn('fr', each)).filter((line) => !own.includes(line));
    const inEnglish = sentences(saidIn('en', each));
    expect(french.length).toBeGreaterThan(5);
    expect(french.filter((line) => inEnglish.includes(line))).toEqual([]);
    expect(saidIn('fr', each)).not.toMatch(/\b(email|change|format)\.[a-z]\w+/);
  });
});
