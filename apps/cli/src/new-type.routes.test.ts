import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';

import { formatTime, toInstant } from '@clinic/domain';
import { aPatient, aProvider, ask, signIn, testApp } from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';

const PAGE = fileURLToPath(new URL('../../../docs/adding-an-appointment-type.md', import.meta.url));
const MONDAY = '2026-12-07';

/** What the page tells an operator to import, in its order: the file, and the command beneath it. */
function importsOnPage(): { what: string; csv: string }[] {
  const steps = readFileSync(PAGE, 'utf8').matchAll(
    /```csv\n([\s\S]*?)```\s+`npm run clinic -- import (\w+) --file/g,
  );
  return [...steps].map(([, csv = '', what = '']) => ({ what, csv: csv.replace(/^ +/gm, '') }));
}

// Shows: R-90, R-91
test('a type of 25 minutes that is added as the page says is offered, booked, moved and cancelled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'new-type-'));
  const clinic = await testApp();
  try {
    await aProvider(clinic.platform);
    await aProvider(clinic.platform, { id: '102', firstName: 'Rahul', lastName: 'Mehta' });
    const steps = importsOnPage();
    expect(steps.map(({ what }) => what)).toEqual(['types', 'fees', 'codes', 'paces', 'schedule']);
    for (const { what, csv } of steps) {
      // The page charges covered patients too; here nobody pays, so that it is booked at once.
      const content = csv.replaceAll('60.00', '0.00');
      const file = join(folder, `${what}.csv`);
      writeFileSync(file, content);
      expect(await operate(clinic.platform, 'import', what, '--file', file)).toMatchObject({
        code: 0,
      });
    }
    // The ordinary type of the page's working hours is not one of this clinic's.
    const token = await signIn(clinic, await aPatient(clinic.platform));
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.appointmentType).toMatchObject([
      {
        code: 'X',
        description: 'Travel consultation',
        translations: { fr: 'Consultation santé-voyage' },
        status: 'enabled',
        minutes: 25,
      },
    ]);
    const starts = async (id: string) => {
      const query = { from: MONDAY, to: MONDAY, id, type: 'X' };
      const [day] = (await ask(clinic, 'doctorSchedule', { token, query })).answer().extras;
      return (day?.providers[0]?.schedule ?? []).map(
        ({ start, end }) => `${formatTime(start)}-${formatTime(end)}`,
      );
    };
    expect((await starts('101')).slice(0, 2)).toEqual(['13:00-13:25', '13:25-13:50']);
    // At the pace of 102, who takes half an hour.
    expect((await starts('102')).slice(0, 2)).toEqual(['13:00-13:30', '13:30-14:00']);

    const at = (doctor: string, time: string) => {
      const start = toInstant(MONDAY, time);
      return { start, end: start + 1_500, doctor, selectedType: 'X', reason: 'A journey' };
    };
    const first = { token, body: at('101', '13:00') };
    const booked = (await ask(clinic, 'createBooking', first)).answer();
    const { id, endTime } = booked.extras.appointment;
    expect(formatTime(endTime)).toBe('13:25');
    const move = { ...at('102', '16:00'), isReschedule: true, rescheduleOf: id };
    const moved = (await ask(clinic, 'createBooking', { token, body: move })).answer();
    expect(formatTime(moved.extras.appointment.endTime)).toBe('16:30');
    expect(await starts('101')).toContain('13:00-13:25');
    expect(await starts('102')).not.toContain('16:00-16:30');
    const params = { id: moved.extras.appointment.id };
    const named = async () => {
      const list = (await ask(clinic, 'listAppointments', { token })).answer().appointments;
      return list.map(({ description, translations }) => [description, translations?.['fr']]);
    };
    const both = ['Travel consultation', 'Consultation santé-voyage'];
    expect(await named()).toEqual([both, both]);
    expect(moved.extras.appointment.translations).toEqual({ fr: both[1] });
    expect((await ask(clinic, 'cancelAppointment', { token, params })).statusCode).toBe(200);
    expect(await starts('102')).toContain('16:00-16:30');
    // Version 0.2.0 changes the English name alone; the French one was of the name before.
    await clinic.database.db.execute(sql`update appointment_type set description = 'Vaccines'`);
    expect(await named()).toEqual([
      ['Vaccines', undefined],
      ['Vaccines', undefined],
    ]);
    const kept = await operate(clinic.platform, 'export', 'types');
    expect(kept.files.get('types.csv')?.toString()).toContain('X,Vaccines,,25');
  } finally {
    rmSync(folder, { recursive: true });
    await clinic.close();
  }
});
