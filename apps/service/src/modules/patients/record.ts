import { type CallInput, calls } from '@clinic/contract';
import { calendarDate, isProvince, maskedCard, normaliseCardNumber } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import { DONE } from '../../server/responses.ts';
import { type RequestContext, route } from '../../server/http.ts';
import {
  type OwnDetails,
  newChartOf,
  newRecordOf,
  ownDetails,
  patientOf,
  readFamilyDoctor,
  standingOfAddress,
  updatePatient,
  whyItIsUnsure,
} from '../accounts/index.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import type { RecordId } from '../records/emr.ts';
import {
  apartInEmr,
  findRecord,
  insertRecord,
  primaryDoctorOf,
  statusOf,
  waitUnclear,
} from '../records/index.ts';

/** The patient's own record: whether it exists, its primary doctor, and opening it. */
export function registerRecord(app: FastifyInstance, platform: Platform): void {
  const { database, config } = platform;

  route(app, calls.getProvider, async ({ params }) => {
    const status = await statusOf(database.db, params.id);
    if (status === null) return refuse('notFound');
    return { success: true as const, provider: { status } };
  });

  route(app, calls.getPatientRecord, async ({ params, patient }) => {
    const { recordId } = await patientOf(database.db, patient.id);
    if (params.demographicNo !== recordId) return refuse('notFound');
    const { providerId, active } = await primaryDoctorOf(platform, recordId);
    return {
      success: true as const,
      demographic: { providerNo: providerId ?? '' },
      provider: { enabled: active },
    };
  });

  // A search for another person's details is refused.
  route(app, calls.findDemographics, async ({ headers, patient, now }) => {
    const own = await ownDetails(platform, patient.id);
    const { takesMaskedCard } = await standingOfAddress(database.db, patient.id, now);
    if (!isOwn(own, headers, takesMaskedCard)) return refuse('notYourData');
    const found = await hasRecord(platform, own);
    const code = found ? ('entryFound' as const) : ('noEntryFound' as const);
    return { success: found, extras: { code } };
  });

  route(app, calls.createDemographics, async ({ body, patient, now }) => {
    if (readFamilyDoctor(body, config.familyDoctorIds) === undefined)
      return invalid('familyDoc', 'familyDoctorUnclear');
    const own = await ownDetails(platform, patient.id);
    if (body.id !== own.id && body.id !== own.recordId) return refuse('notYourData');
    if (!(await hasRecord(platform, own)) && !(await openRecord(platform, own, body, now))) {
      platform.realtime.sayToDesk();
      return refuse('recordUnclear');
    }
    return DONE;
  });
}

type SentDetails = RequestContext<typeof calls.findDemographics>['headers'];

/** Whether the details sent are the caller's own: the id or record number, card and birth date. */
function isOwn(own: OwnDetails, sent: SentDetails, takesMaskedCard: boolean): boolean {
  const { id, hin, province, year, month, day } = sent;
  const number = isProvince(province) ? normaliseCardNumber(province, hin) : hin.trim();
  return (
    [own.id, own.recordId].includes(id) &&
    province === own.cardProvince &&
    (number === own.cardNumber || (takesMaskedCard && hin.trim() === maskedCard(own.cardNumber))) &&
    calendarDate(year, month, day) === own.birthDate
  );
}

/**
 * Whether the patient has a record, by its number or else by the card. With an EMR the card does not
 * count: a record there is the patient's only once it was opened under their number.
 */
async function hasRecord(platform: Platform, own: OwnDetails): Promise<boolean> {
  if ((await findRecord(platform, { id: own.recordId as RecordId })).kind !== 'none') return true;
  if (own.cardNumber === '' || platform.emr !== null) return false;
  const { cardProvince, cardNumber, birthDate } = own;
  return (await findRecord(platform, { cardProvince, cardNumber, birthDate })).kind !== 'none';
}

/**
 * Opens the patient's record after the family-doctor question, with one of the two configured ids in
 * place of a doctor. `hasFamilyDoc` decides; a `familyDoc` that differs is only audited. False when only
 * the clinic's staff can tell whether the EMR has the patient already.
 */
async function openRecord(
  platform: Platform,
  own: OwnDetails,
  { hasFamilyDoc: familyDoctor, familyDoc }: CallInput<'createDemographics'>['body'],
  now: number,
): Promise<boolean> {
  const { database, keyring, emr, appendAudit, config } = platform;
  const { id, recordId } = own;
  const providerId = config.familyDoctorIds[familyDoctor ? 'yes' : 'no'];
  const apart = await apartInEmr(database.db, recordId);
  const inEmr = emr && (await emr.createPatient(newChartOf(own, providerId), apart));
  if (inEmr === 'unclear') {
    const why = await whyItIsUnsure(platform, own);
    await database.inTransaction(async (tx) => {
      if (!(await waitUnclear(tx, recordId, why, now))) return;
      const entry = ofPatient(id, 'record waits for staff', now);
      await appendAudit(tx, { ...entry, subject: `record:${recordId}` });
    });
    return false;
  }
  const sent = readFamilyDoctor({ familyDoc }, config.familyDoctorIds);
  const differs = sent !== null && sent !== familyDoctor;
  await database.inTransaction(async (tx) => {
    const isNew = inEmr
      ? inEmr === 'created'
      : await insertRecord(tx, keyring, newRecordOf(own, providerId));
    if (!isNew) return;
    await updatePatient(tx, id, { familyDoctor });
    const details = { familyDoctor, ...(differs ? { ignored: ['familyDoc'] } : {}) };
    const entry = ofPatient(id, 'record opened', now, details);
    await appendAudit(tx, { ...entry, subject: `record:${recordId}` });
  });
  return true;
}
