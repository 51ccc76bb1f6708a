import { deskCalls } from '@clinic/contract';
import { attendanceOf, nextAttendances, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { lateness } from '../../../security/audit.store.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import { route } from '../../../server/http.ts';
import { DONE } from '../../../server/responses.ts';
import { ownRows } from '../day/day-sheet.store.ts';
import { lateOn } from '../day/day-sheet.ts';

/** A clinician's own day, and what they say of it. */
export function registerOwnDay(app: FastifyInstance, platform: Platform): void {
  const { database, realtime, appendAudit, emr } = platform;
  const { db } = database;
  /** Every clinician is a provider. */
  const providerOf = ({ providerId }: SignedInStaff) => providerId ?? '';

  route(app, deskCalls.deskOwnDay, async ({ params: { date }, staff, now, locale }) => {
    const providerId = providerOf(staff);
    const [rows, late] = await Promise.all([
      ownRows(db, providerId, date, locale),
      lateOn(db, toClinic(now).date, [providerId], now),
    ]);
    return showing(
      {
        providerId,
        lateMinutes: late.get(providerId) ?? 0,
        appointments: rows.map((row) => ({
          ...row,
          attendance: attendanceOf(row),
          next: emr === null ? [...nextAttendances(row, now)] : [],
        })),
      },
      look('own days shown', `day:${date}`, recordIds(rows), { refreshes: true }),
    );
  });

  route(app, deskCalls.deskSayLate, async ({ body: { minutes }, staff, who }) => {
    await database.inTransaction((tx) =>
      appendAudit(tx, lateness(providerOf(staff), minutes, who)),
    );
    realtime.sayToDesk();
    return DONE;
  });
}
