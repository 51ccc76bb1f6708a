import { describe, expect, test } from 'vitest';

import { type FakeOscar, bookByStaff } from '../fake/index.ts';
import { OscarRefused } from '../src/index.ts';
import { MONDAY, avery, openClinic } from './clinic.ts';

const post = (fake: FakeOscar, path: string, fields: Record<string, string>) =>
  fetch(new URL(path, fake.page), { method: 'POST', body: new URLSearchParams(fields) });
async function lookAt(fake: FakeOscar): Promise<string> {
  const page = await fetch(fake.page);
  return page.text();
}

describe('the day sheet', () => {
  test('shows each doctor’s template and appointments, and what was cancelled struck out', async () => {
    const { fake } = await openClinic('classic');
    const at = { providerNo: '101', date: MONDAY, demographicNo: 1 };
    bookByStaff(fake.memory, { ...at, start: 600, minutes: 15 });
    const gone = bookByStaff(fake.memory, { ...at, start: 660, minutes: 15 });
    fake.memory.change(gone, { status: 'C' });
    const page = await lookAt(fake);
    expect(page).toContain('<h1>Day sheet of 2026-11-23</h1>');
    expect(page).toContain('Template: C 09:00–12:00, P 13:00–15:00');
    const said = 'Lindqvist,Avery (1), Office Visit';
    expect(page).toContain(`<strong>10:00–10:15 ${said}, To do</strong>`);
    expect(page).toContain(`<s>11:00–11:15 ${said}, Cancelled</s>`);
  });

  test('lets a person book, move, mark and cancel as the receptionist', async () => {
    const { fake } = await openClinic('classic');
    const booking = { provider: '101', date: MONDAY, time: '09:00', minutes: '15', patient: '1' };
    const answer = await post(fake, '/book', booking);
    expect(answer.url).toContain(`?date=${MONDAY}`);
    const [row] = fake.memory.appointments;
    const id = String(row?.id);
    expect(row).toMatchObject({ providerNo: '101', start: 32_400, creator: 'reception' });
    await post(fake, '/move', {
      id,
      date: MONDAY,
      toDate: '2026-11-24',
      time: '09:30',
      provider: '102',
    });
    expect(row).toMatchObject({
      date: '2026-11-24',
      providerNo: '102',
      start: 34_200,
      end: 35_040,
    });
    await post(fake, '/status', { id, date: MONDAY, status: 'H' });
    expect(row?.status).toBe('H');
  });

  test('lets a person delete, copy, cut and paste, save and block', async () => {
    const { fake } = await openClinic('classic');
    const { memory } = fake;
    const at = { provider: '101', date: MONDAY, minutes: '15' };
    await post(fake, '/book', { ...at, time: '09:00', patient: '1' });
    const [first] = memory.appointments;
    const booked = { id: String(first?.id), date: MONDAY };
    await post(fake, '/save', booked);
    expect(first).toMatchObject({ reasonCode: 1 });
    await post(fake, '/copy', booked);
    await post(fake, '/cut', booked);
    expect(memory.appointments).toEqual([]);
    expect(await lookAt(fake)).toContain('Paste Lindqvist,Avery');
    await post(fake, '/paste', { ...at, time: '10:00' });
    const [pasted] = memory.appointments;
    expect(pasted).toMatchObject({ start: 36_000, demographicNo: 1 });
    await post(fake, '/delete', { id: String(pasted?.id), date: MONDAY });
    await post(fake, '/book', { ...at, time: '11:00', patient: '0' });
    await post(fake, '/book', { ...at, time: '12:00', patient: '' });
    expect(memory.appointments.map((row) => row.demographicNo as number | null)).toEqual([0, null]);
  });

  test('lets a person merge a chart into another, and not into itself', async () => {
    const { fake, oscar } = await openClinic('classic');
    await post(fake, '/merge', { date: MONDAY, chart: '1', head: '1' });
    expect(await oscar.patient(avery)).toMatchObject({ mergedInto: null });
    await post(fake, '/merge', { date: MONDAY, chart: '1', head: '2' });
    expect(await oscar.patient(avery)).toMatchObject({ mergedInto: '2' });
    expect(await lookAt(fake)).toContain('Lindqvist, Avery (1 → 2)');
  });

  test('switches the faults', async () => {
    const { fake, oscar } = await openClinic('classic');
    const all = { down: 'on', expire: 'on', noDatabase: 'on', tooMany: 'on', hangs: 'on' };
    await post(fake, '/switch', { date: MONDAY, nextWrite: 'cutAfter', ...all });
    expect(fake.switches).toMatchObject({ nextWrite: 'cutAfter', delayMs: 0, isDown: true });
    expect(fake.switches).toMatchObject({ database: 'down', tooMany: true });
    expect(fake.isHung()).toBe(true);
    await post(fake, '/switch', { date: MONDAY, nextWrite: 'none' });
    expect(fake.switches).toMatchObject({ nextWrite: 'none', delayMs: 0, isDown: false });
    expect(fake.switches).toMatchObject({ database: 'up', tooMany: false });
    expect(fake.isHung()).toBe(false);
    await expect(oscar.checkToken()).rejects.toThrow(OscarRefused);
  });

  test('shows what a patient wrote as text', async () => {
    const { fake } = await openClinic('classic');
    const at = { providerNo: '101', date: MONDAY, start: 600, minutes: 15, demographicNo: 1 };
    fake.memory.change(bookByStaff(fake.memory, at), { reason: '<script>alert(1)</script>' });
    const page = await lookAt(fake);
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('comes over a connection that only its client closes', async () => {
    const { fake } = await openClinic('classic');
    expect((await fetch(fake.page)).headers.get('keep-alive')).toBeNull();
  });

  test('runs no script and is framed by nobody', async () => {
    const { fake } = await openClinic('classic');
    const policy = (await fetch(fake.page)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect((await fetch(new URL('/style.css', fake.page))).headers.get('content-type')).toContain(
      'css',
    );
  });
});
