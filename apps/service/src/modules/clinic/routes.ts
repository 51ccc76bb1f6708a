import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { ChartId, ProviderId } from '../../ports/clinic-records.ts';
import { route } from '../../platform/http.ts';
import type { Platform } from '../../platform/platform.ts';
import { invalid, refuse } from '../../platform/refusal.ts';
import { openCard } from '../../platform/sealed-card.ts';
import { isFamilyDoctorAnswer, patientOf, saidFamilyDoctor } from '../account/index.ts';
import { hasChart, isOwn } from './find-chart.ts';
import { openChart } from './open-chart.ts';

export type ClinicParts = Pick<
  Platform,
  'database' | 'keyring' | 'records' | 'appendAudit' | 'config'
>;

export function registerClinic(app: FastifyInstance, parts: ClinicParts): void {
  const { database, keyring, records, config } = parts;

  route(app, calls.getProvider, async ({ params }) => {
    const provider = await records.getProvider(params.id as ProviderId);
    if (provider === null) return refuse('notFound');
    return { success: true as const, provider: { status: provider.status } };
  });

  route(app, calls.getPatientRecord, async ({ params, patient }) => {
    const { chartId } = await patientOf(database.db, patient.id);
    if (params.demographicNo !== chartId) return refuse('notFound');
    const { providerId, active } = await records.mrpStatus(chartId as ChartId);
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
    const found = await hasChart(records, own);
    const code = found ? ('entryFound' as const) : ('noEntryFound' as const);
    return { success: found, extras: { code } };
  });

  route(app, calls.createDemographics, async ({ body, patient, now }) => {
    const { id, hasFamilyDoc: hasFamilyDoctor, familyDoc } = body;
    if (!isFamilyDoctorAnswer(familyDoc, config.familyDoctorIds))
      return invalid('familyDoc', 'familyDoctorUnclear');
    const claimsFamilyDoctor = saidFamilyDoctor({ familyDoc }, config.familyDoctorIds);
    const request = { patientId: patient.id, id, hasFamilyDoctor, claimsFamilyDoctor };
    const answer = await openChart(parts, request, now);
    return answer === 'notYours' ? refuse('notYourData') : { success: true as const };
  });
}
