import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { route } from '../../server/http.ts';
import { findPatients } from '../patients/index.ts';

/** Finding a patient at the front desk, and booking and moving appointments for them. */
export function registerBookingAtDesk(app: FastifyInstance, platform: Platform): void {
  route(app, deskCalls.deskFindPatients, async ({ body, staff, now }) => {
    const found = await findPatients(platform, body.text, { actor: `staff:${staff.id}`, now });
    return { success: true as const, extras: { ...found, patients: [...found.patients] } };
  });
}
