import { describe, expect, test } from 'vitest';

import { daySheetOf, deleteByStaff, pasteByStaff, saveByStaff } from '../fake/index.ts';
import { OscarFault, OscarOffline, appointmentNo } from '../src/index.ts';
import { MONDAY, avery, draft, openClinic, tickler } from './clinic.ts';

const at = { providerNo: '101', date: MONDAY, start: 600 };

/** A clinic with what `draft` books. */
async function booked() {
  const { fake, oscar } = await openClinic('openo');
  await oscar.book(draft());
  const [row] = fake.memory.appointments;
  if (row === undefined) throw new Error('nothing was booked');
  return { fake, oscar, row, memory: fake.memory };
}

test('what staff delete leaves no trace, and what they paste has a new number and the key', async () => {
  const { memory, oscar, row } = await booked();
  deleteByStaff(memory, row);
  expect(await oscar.findByKey('key-1', avery)).toBeNull();
  expect(memory.archives).toEqual([]);
  const pasted = pasteByStaff(memory, row, at);
  expect(pasted.id).not.toBe(row.id);
  expect(await oscar.findByKey('key-1', avery)).toMatchObject({ no: String(pasted.id) });
});

describe('a key that staff took out of the notes', () => {
  const theirs = 'called back, brings a friend';

  test('is written back beside what they wrote, and the rest of the row stays', async () => {
    const { memory, oscar, row } = await booked();
    memory.change(row, { notes: theirs });
    const before = { ...row };
    const no = appointmentNo(String(row.id));
    expect(await oscar.writeKey(no, 'key-1', 'Leave this:')).toBe(true);
    expect({ ...row, updatedAt: before.updatedAt, lastUpdateUser: before.lastUpdateUser }).toEqual({
      ...before,
      notes: `${theirs} Leave this: [key-1]`,
    });
    expect(await oscar.writeKey(no, 'key-1', 'Leave this:')).toBe(true);
    expect(row.notes).toBe(`${theirs} Leave this: [key-1]`);
  });

  test('is not written where the notes are full, nor on a row that was cancelled', async () => {
    const { memory, oscar, row } = await booked();
    const no = appointmentNo(String(row.id));
    for (const change of [{ notes: 'x'.repeat(250) }, { notes: '', status: 'C' }]) {
      memory.change(row, change);
      expect(await oscar.writeKey(no, 'key-1')).toBe(false);
      expect(row).toMatchObject(change);
    }
  });

  test('and what they write or move at that moment is not lost', async () => {
    const { fake, memory, oscar, row } = await booked();
    const no = appointmentNo(String(row.id));
    const meanwhile = (change: Parameters<typeof memory.change>[1]) => {
      fake.switches.meets = ({ name }) => {
        if (name !== 'updateAppointment') return 'none';
        fake.switches.meets = () => 'none';
        memory.change(row, change);
        return 'none';
      };
    };
    memory.change(row, { notes: '' });
    meanwhile({ notes: theirs });
    expect(await oscar.writeKey(no, 'key-1')).toBe(true);
    expect(row.notes).toBe(`${theirs} [key-1]`);
    memory.change(row, { notes: '' });
    meanwhile({ status: 'H' });
    expect(await oscar.writeKey(no, 'key-1')).toBe(false);
    expect(row).toMatchObject({ status: 'H', notes: '' });
  });
});

test('a save of the edit page empties a type that OSCAR lacks, and ends at a whole minute', async () => {
  const { memory, row } = await booked();
  memory.change(row, { type: 'Ours alone' });
  saveByStaff(memory, row);
  expect(row).toMatchObject({
    type: '',
    resources: 'null',
    reasonCode: 1,
    end: (9 * 60 + 14) * 60,
  });
});

test('where multisites are on, a row of no site is on no day sheet, and a save gives it none', async () => {
  const { memory, oscar, row } = await booked();
  memory.sites.push('Main Clinic');
  saveByStaff(memory, row);
  expect(daySheetOf(memory, '101', MONDAY)).toEqual([]);
  const span = { date: MONDAY, start: '10:00', end: '10:15' };
  await oscar.book(draft({ key: 'key-2', location: 'Main Clinic', span }));
  const [shown] = daySheetOf(memory, '101', MONDAY);
  expect(shown).toMatchObject({ notes: '[key-2]' });
  expect(await oscar.findByKey('key-2', avery)).toMatchObject({ location: 'Main Clinic' });
});

test('a server whose database hangs does what it was sent when it goes on', async () => {
  const { fake, oscar } = await openClinic('openo');
  fake.hang('database');
  const written = oscar.createAppointment(draft());
  await expect.poll(() => fake.calls.get('login2')).toBe(1);
  expect(fake.memory.appointments).toEqual([]);
  fake.resume();
  await written;
  expect(fake.memory.appointments).toHaveLength(1);
});

test('a Tomcat that starts takes a booking and answers nothing: nothing was written', async () => {
  const { fake, oscar } = await openClinic('openo', { timeoutMs: 50 });
  fake.hang('tomcat');
  await expect(oscar.book(draft())).rejects.toThrow(OscarOffline);
  fake.resume();
  expect(fake.memory.appointments).toEqual([]);
});

test.each(['tooMany', 'database'] as const)(
  'while it answers nothing but %s nothing is written, and the first booking after it is whole',
  async (what) => {
    const { fake, oscar } = await openClinic('openo');
    Object.assign(fake.switches, { tooMany: what === 'tooMany' });
    fake.switches.database = what === 'database' ? 'down' : 'up';
    await expect(oscar.book(draft())).rejects.toThrow(OscarOffline);
    Object.assign(fake.switches, { tooMany: false, database: 'up' });
    expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
    expect(fake.memory.appointments).toHaveLength(1);
  },
);

test('a login without a role books, and sees no patient', async () => {
  const { fake, oscar } = await openClinic('openo');
  fake.switches.hasRole = false;
  await expect(oscar.findByNumber('9123456789')).rejects.toThrow(OscarFault);
  await expect(oscar.merges(avery)).rejects.toThrow(OscarFault);
  expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
});

test('each call by REST leaves a session for two hours, and SOAP leaves none', async () => {
  let now = Date.parse('2026-11-20T18:00:00Z');
  const { fake, oscar } = await openClinic('openo', {}, { now: () => now });
  await oscar.createAppointment(draft());
  expect(fake.httpSessions()).toBe(0);
  await oscar.addTickler(tickler);
  await oscar.checkToken();
  expect(fake.httpSessions()).toBe(2);
  now += 120 * 60_000;
  expect(fake.httpSessions()).toBe(0);
});

test('CARLOS books by SOAP, also after a restart', async () => {
  const { fake, oscar } = await openClinic('carlos');
  expect(fake.base).toMatch(/\/carlos$/);
  expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
  fake.restart();
  expect(await oscar.book(draft())).toMatchObject({ kind: 'alreadyBooked' });
});
