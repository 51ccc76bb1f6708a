import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { RecordId, ProviderId } from '../records/emr.ts';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { openCard } from '../../security/sealed-card.ts';
import { isFamilyDoctorAnswer, saidFamilyDoctor } from './family-doctor.ts';
import { patientOf } from './patients.store.ts';
import { hasRecord, isOwn } from './find-record.ts';
import { openRecord } from './open-record.ts';

export type ClinicParts = Pick<Platform, 'database' | 'keyring' | 'emr' | 'appendAudit' | 'config'>;

export function registerClinic(app: FastifyInstance, parts: ClinicParts): void {
  const { database, keyring, emr, config } = parts;

  route(app, calls.getProvider, async ({ params }) => {
    const provider = await emr.getProvider(params.id as ProviderId);
    if (provider === null) return refuse('notFound');
    return { success: true as const, provider: { status: provider.status } };
  });

  route(app, calls.getPatientRecord, async ({ params, patient }) => {
    const { recordId } = await patientOf(database.db, patient.id);
    if (params.demographicNo !== recordId) return refuse('notFound');
    const { providerId, active } = await emr.mrpStatus(recordId as RecordId);
    return {
      success: true as const,
      demographic: { providerNo: providerId ?? '' },
      provider: { enabled: active },
    };
  });

  route(app, calls.findDemographics, async ({ headers, patient }) => {
    const row = await patientOf(database.db, patient.id);
    const own = { ...row, cardNumber: openCard(keyring, row.id, row.cardSealed) };
    if (!isOwn(own, headers)) return refuse('notYourData');
    const found = await hasRecord(emr, own);
    const code = found ? ('entryFound' as const) : ('noEntryFound' as const);
    return { success: found, extras: { code } };
  });

  route(app, calls.createDemographics, async ({ body, patient, now }) => {
    const { id, hasFamilyDoc: hasFamilyDoctor, familyDoc } = body;
    if (!isFamilyDoctorAnswer(familyDoc, config.familyDoctorIds))
      return invalid('familyDoc', 'familyDoctorUnclear');
    const saysFamilyDoctor = saidFamilyDoctor({ familyDoc }, config.familyDoctorIds);
    const request = { patientId: patient.id, id, hasFamilyDoctor, saysFamilyDoctor };
    const answer = await openRecord(parts, request, now);
    return answer === 'notYours' ? refuse('notYourData') : { success: true as const };
  });
}
