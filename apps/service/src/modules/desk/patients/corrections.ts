import { deskCalls } from '@clinic/contract';
import { mayAny } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { DONE, success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { type Refusal, refuse } from '../../../server/refusal.ts';
import {
  type Decider,
  correctEmail,
  decideAddress,
  findPatient,
  personOf,
} from '../../accounts/index.ts';
import { correctDetails } from '../../patients/index.ts';
import { changedFees } from '../day/changed-fees.ts';
import { isFactorRecent } from '../../staff/index.ts';

/** Correcting name, birth date, card and email address of a patient at the front desk. */
export function registerCorrections(app: FastifyInstance, platform: Platform): void {
  const { database, realtime } = platform;
  const { db } = database;

  /** The answer to a change of which every desk hears. */
  function told(refused: Refusal | null) {
    if (refused !== null) return refused;
    realtime.sayToDesk();
    return DONE;
  }

  route(
    app,
    deskCalls.deskCorrectPatient,
    async ({ params: { id }, body, headers, staff, now, who, locale }) => {
      const person = await personOf(db, id);
      if (person === null) return refuse('notFound');
      const details = { ...body, card: body.card ?? null, by: deciderOf(staff, now) };
      const refused = await correctDetails(platform, person, details, who, headers);
      if (refused !== null) return refused;
      realtime.sayToDesk();
      const corrected = await personOf(db, id);
      return success({
        fees: corrected === null ? [] : await changedFees(db, corrected, now, locale),
      });
    },
  );

  route(app, deskCalls.deskCorrectEmail, async ({ params: { id }, body, staff, now, who }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    if (patient.closedAt !== null) return refuse('accountClosed');
    const by = deciderOf(staff, now);
    return told(await correctEmail(platform, patient, { ...body, by }, who));
  });

  route(app, deskCalls.deskDecideAddress, async ({ params: { id }, body, who }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    return told(await decideAddress(platform, patient.id, body.counts, who));
  });
}

export const deciderOf = (staff: SignedInStaff, now: number): Decider => ({
  mayDecide: mayAny(staff.roles, 'decideAddress'),
  isFactorRecent: isFactorRecent(staff, now),
});
