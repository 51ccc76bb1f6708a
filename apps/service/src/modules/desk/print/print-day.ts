import { type ApiPrintedDay, deskCalls } from '@clinic/contract';
import { ageOn, attendanceOf, dialledPhone, doctorName, needsPrintReason } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import { route } from '../../../server/http.ts';
import { refuse } from '../../../server/refusal.ts';
import { openedAnswers } from '../../appointments/index.ts';
import { marksByRecord } from '../../patients/index.ts';
import { ownOnly } from '../../staff/index.ts';
import { feeOf, isNamed } from '../day/sheet-of-day.ts';
import {
  type SheetRow,
  busyOn,
  hereSince,
  printedRows,
  providersOn,
  recordsOn,
  sheetRows,
} from '../day/day-sheet.store.ts';

/** The day on paper: what whoever sees the patients needs, and whom to call. */
export function registerPrinting(app: FastifyInstance, platform: Platform): void {
  const { database, keyring } = platform;
  const { db } = database;

  route(app, deskCalls.deskPrintDay, async ({ params: { date }, body, staff, now, locale }) => {
    const { lookReason } = body;
    if (lookReason === undefined && needsPrintReason(date, now)) return refuse('lookReasonMissing');
    const whose = ownOnly(staff);
    const rows = (await sheetRows(db, [date], whose, now, locale)).filter(isNamed);
    const ids = rows.map(({ id }) => id);
    const [providers, busy, printed, marks, since] = await Promise.all([
      providersOn(db, [date], whose),
      busyOn(db, [date]),
      printedRows(db, ids),
      marksByRecord(platform, recordsOn([date])),
      hereSince(db, [date]),
    ]);
    const more = new Map(printed.map((each) => [each.id, each]));

    function shown(row: SheetRow): ApiPrintedDay['providers'][number]['appointments'][number] {
      const { birthDate = null, phones = [], answersSealed } = more.get(row.id) ?? {};
      const answers = answersSealed ? openedAnswers(keyring, row.id, answersSealed) : null;
      return {
        ...row,
        age: birthDate === null ? null : ageOn(birthDate, date),
        phones: [...new Set(phones.map((phone) => dialledPhone(phone) ?? phone))],
        reason: answers?.reason || null,
        attendance: attendanceOf(row),
        fee: feeOf(row),
        feeCents: row.paidNow > 0 ? row.paidNow : (row.feeAtClinic?.cents ?? 0),
        isFirst: platform.emr === null && !since.has(row.recordId),
        alerts: marks.get(row.recordId)?.alerts ?? [],
      };
    }

    const ofProvider = Object.groupBy(rows, ({ providerId }) => providerId);
    const busyOf = Object.groupBy(busy, ({ providerId }) => providerId);
    const day = {
      providers: providers.flatMap(({ id, firstName, lastName }) => {
        const own = ofProvider[id];
        if (own === undefined) return [];
        const name = doctorName({ firstName, lastName });
        return [{ id, name, busy: busyOf[id] ?? [], appointments: own.map(shown) }];
      }),
    };
    const seen = look('day sheet printed', `day:${date}`, recordIds(rows), {
      details: { providers: day.providers.map(({ id }) => id), lookReason },
    });
    return showing(day, seen);
  });
}
