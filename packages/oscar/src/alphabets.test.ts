import { describe, expect, expectTypeOf, test } from 'vitest';

import {
  type AppointmentStatus,
  type AppointmentType,
  type TemplateCode,
  appointmentStatus,
  appointmentType,
  isLive,
  providerNo,
  stateOf,
  templateCode,
} from './alphabets.ts';

describe('the three alphabets', () => {
  test('a template code, a status and a type cannot stand for one another', () => {
    expectTypeOf<TemplateCode>().not.toExtend<AppointmentStatus>();
    expectTypeOf<AppointmentStatus>().not.toExtend<TemplateCode>();
    expectTypeOf<AppointmentType>().not.toExtend<AppointmentStatus>();
    expectTypeOf<AppointmentType>().not.toExtend<TemplateCode>();
    expectTypeOf<string>().not.toExtend<AppointmentStatus>();
    // @ts-expect-error The C of "Clinic Appointment" is no status: it would book as cancelled.
    expect(stateOf(templateCode('C'))).toBe('cancelled');
  });

  test('a template code is one character, case-sensitive, and never that of no work', () => {
    expect(templateCode('é')).toBe('é');
    expect(templateCode('p')).not.toBe(templateCode('P'));
    for (const text of ['', 'PP', '_', ' ']) expect(() => templateCode(text)).toThrow(TypeError);
  });

  test('a type has as many characters as its column', () => {
    expect(appointmentType('x'.repeat(50))).toHaveLength(50);
    expect(() => appointmentType('x'.repeat(51))).toThrow(TypeError);
  });

  test('a provider number is a text: one with zeros in front keeps them', () => {
    expect(providerNo('000104')).toBe('000104');
    expect(() => providerNo('1000104')).toThrow(TypeError);
  });
});

describe('what a status says', () => {
  test('its first letter alone counts, so a signed one means the same', () => {
    expect(stateOf(appointmentStatus('tS'))).toBe('booked');
    expect(stateOf(appointmentStatus('BV'))).toBe('arrived');
  });

  test('case counts: H is here and h is confirmed', () => {
    expect(stateOf(appointmentStatus('H'))).toBe('arrived');
    expect(stateOf(appointmentStatus('h'))).toBe('booked');
  });

  test('one that the clinic gave a meaning of its own takes its time', () => {
    expect(stateOf(appointmentStatus('a'))).toBe('booked');
    expect(isLive(appointmentStatus('a'))).toBe(true);
  });

  test('cancelled and deleted ones take no time, a no-show does', () => {
    expect(isLive(appointmentStatus('C'))).toBe(false);
    expect(isLive(appointmentStatus('D'))).toBe(false);
    expect(isLive(appointmentStatus('N'))).toBe(true);
  });
});
