import { describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { visitLetter } from './letters.ts';

const head = {
  clinicName: 'Harbour Clinic, Vancouver',
  clinicEmail: 'hello@clinic.example',
  clinicPhone: '604-555-0100',
  clinicAddress: '1 Harbour Road, Vancouver',
};
const start = toInstant('2026-12-15', '13:00');
const visit = {
  claimId: 'c1',
  bookingNumber: 'AB12CD34EF56',
  sequence: 0,
  type: 'O' as const,
  start,
  end: start + 300,
  doctor: { firstName: 'Amelia', lastName: 'Stone' },
};
const write = (event: 'booked' | 'rescheduled' | 'cancelled', over = {}) =>
  visitLetter(event, 'new1@practice.example', { ...visit, ...over }, head, start - 86_400);

describe('letters about a visit (R-84)', () => {
  test('say the wall time in words and whom the patient sees', () => {
    const { text, subject } = write('booked');
    expect(subject).toBe('Your appointment is booked - Harbour Clinic, Vancouver');
    expect(text).toContain('Tue Dec 15 2026 13:00 Pacific time, with Dr. A. Stone');
    expect(text).toContain('604-555-0100');
  });

  test('of a phone visit ask nobody to arrive or bring anything', () => {
    expect(write('booked', { type: 'P' }).text).toContain('Our provider will call you.');
    expect(write('booked', { type: 'P' }).text).not.toMatch(/arrive|bring/);
  });

  test('about a moved visit name both times', () => {
    const movedFrom = toInstant('2026-12-14', '09:30');
    expect(write('rescheduled', { movedFrom }).text).toContain('It was: Mon Dec 14 2026 09:30');
  });

  test('carry a calendar file in UTC, seven hours ahead of the clinic in winter (R-10)', () => {
    const content = write('booked').calendar?.content ?? '';
    expect(content).toContain('DTSTART:20261215T200000Z\r\n');
    expect(content).toContain('DTEND:20261215T200500Z\r\n');
    expect(content).toContain('METHOD:PUBLISH\r\n');
  });

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
