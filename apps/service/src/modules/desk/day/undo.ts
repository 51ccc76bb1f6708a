import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { route } from '../../../server/http.ts';
import { refuse } from '../../../server/refusal.ts';
import { DONE } from '../../../server/responses.ts';
import { appointments, undoAct } from '../../appointments/index.ts';
import { emrBook } from '../../emr/index.ts';

const WHY_NOT = {
  notTheirs: 'notFound',
  tooLate: 'undoTooLate',
  timeClosed: 'undoTimeClosed',
  changed: 'appointmentChanged',
  bookedSince: 'undoBookedSince',
} as const;

/** Undoing what one has just booked, moved or cancelled. */
export function registerUndo(app: FastifyInstance, platform: Platform): void {
  const ports = { ...platform, appointments, emrBook };

  route(app, deskCalls.deskUndo, async ({ params, staff, who }) => {
    const undoing = await undoAct(ports, { id: params.act, staffId: staff.id }, who);
    if (undoing.kind === 'refused')
      return refuse(undoing.code === 'slotTaken' ? 'undoTimeTaken' : undoing.code);
    if (undoing.kind !== 'undone') return refuse(WHY_NOT[undoing.kind]);
    platform.realtime.sayToDesk();
    return DONE;
  });
}
