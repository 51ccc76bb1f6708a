import { deskCalls } from '@clinic/contract';
import { type FeeNote, feeStateOf } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import type { Who } from '../../../security/audit.store.ts';
import { refuse } from '../../../server/refusal.ts';
import { DONE, success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { appointments, changeFees, noteFee } from '../../appointments/index.ts';
import { personOf } from '../../accounts/index.ts';
import { changedFees } from './changed-fees.ts';
import { type OpenedRow, openedRow } from './day-sheet.store.ts';

type Fee = NonNullable<OpenedRow['feeAtClinic']>;

/** What staff note of fees at the clinic, and fees after a change of eligibility. */
export function registerFees(app: FastifyInstance, platform: Platform): void {
  const { database, realtime } = platform;
  const ports = { ...platform, appointments };

  interface ToNote {
    readonly id: string;
    readonly staffId: string;
    readonly note: FeeNote;
    /** Whether this has been noted already, by a request whose answer was lost. */
    readonly isNoted: (fee: Fee) => boolean;
  }

  async function noted({ id, staffId, note, isNoted }: ToNote, who: Who) {
    const row = await openedRow(database.db, id);
    if (row === null) return refuse('notFound');
    if (row.feeAtClinic !== null && isNoted(row.feeAtClinic)) return DONE;
    const noting = await noteFee(ports, { ...row, staffId }, note, who);
    if (noting !== true) return refuse(noting || 'appointmentChanged');
    realtime.sayToDesk();
    return DONE;
  }

  route(app, deskCalls.deskTakeFee, ({ params: { id }, body, staff: { id: staffId }, who }) => {
    const isNoted = ({ taken }: Fee) => taken?.by === staffId && taken.means === body.means;
    return noted({ id, staffId, note: { kind: 'taken', ...body }, isNoted }, who);
  });

  route(app, deskCalls.deskWaiveFee, ({ params: { id }, body, staff: { id: staffId }, who }) => {
    const isNoted = ({ waived }: Fee) => waived?.by === staffId && waived.reason === body.reason;
    return noted({ id, staffId, note: { kind: 'waived', ...body }, isNoted }, who);
  });

  route(app, deskCalls.deskFeeBack, ({ params: { id }, body, staff: { id: staffId }, who }) => {
    const { means, reason } = body;
    const isNoted = ({ givenBack: back }: Fee) =>
      back?.by === staffId && back.means === means && back.reason === reason;
    return noted({ id, staffId, note: { kind: 'givenBack', ...body }, isNoted }, who);
  });

  route(app, deskCalls.deskStrikeFee, ({ params: { id }, body, staff: { id: staffId }, who }) => {
    const isNoted = (fee: Fee) => feeStateOf(fee) === 'due';
    return noted({ id, staffId, note: { kind: 'struck', ...body }, isNoted }, who);
  });

  async function rowsOf(ids: Iterable<string>) {
    const rows = await Promise.all([...ids].map((id) => openedRow(database.db, id)));
    return rows.filter((row) => row !== null);
  }

  const isPaid = ({ feeAtClinic: fee, paidCents }: OpenedRow) =>
    paidCents > 0 || (fee !== null && feeStateOf(fee) === 'taken');

  route(app, deskCalls.deskApplyFees, async ({ body, who, locale }) => {
    const asked = new Set(body.appointmentIds);
    const rows = await rowsOf(asked);
    const fees = [];
    for (const recordId of new Set(rows.map((row) => row.recordId))) {
      const feesNow = async (db: Db) => {
        const person = await personOf(db, recordId);
        return person === null ? [] : changedFees(db, person, who.now, locale);
      };
      const accountId = (await personOf(database.db, recordId))?.account?.id;
      const owners = [{ recordId }, ...(accountId === undefined ? [] : [accountId])];
      const feesAsked = async (tx: Db) =>
        (await feesNow(tx)).filter(({ appointmentId }) => asked.has(appointmentId));
      await changeFees(ports, owners, feesAsked, who);
      fees.push(...(await feesNow(database.db)));
    }
    realtime.sayToDesk();
    const paid = (await rowsOf(asked)).filter(isPaid).map(({ id }) => id);
    return success({ fees, paid });
  });
}
