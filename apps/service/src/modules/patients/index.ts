import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { fileAcceptedDocuments, tellOfUploads } from './documents.ts';
import { registerRecord } from './record.ts';

export function registerPatients(app: FastifyInstance, platform: Platform): void {
  fileAcceptedDocuments(platform);
  tellOfUploads(platform);
  registerRecord(app, platform);
}

export {
  type PatientChange,
  blockPatient,
  changePatient,
  offersOf,
  findPatients,
  unblockPatient,
} from './administration.ts';
export {
  type CardEntry,
  alertsOf,
  cardOfRecord,
  contactNumber,
  marksByRecord,
  noteOnCard,
  ownCard,
  strikeOnCard,
} from './card/card.ts';
export { CONTACT_NUMBERS, LAST_ON_CARD, eraseCard, everyDueWish } from './card/card.store.ts';
export { familyOf } from './card/family.store.ts';
export { closeAccount } from './close-account.ts';
export { findCharts, openChart } from './found-in-emr.ts';
export { correctDetails } from './correct-details.ts';
export { chartsOfPatient, decideChart, lookAtCharts } from './decide-chart.ts';
export type { ChartsOfPatient, ComparedChart } from './decide-chart.ts';
export { foldNames, tellApart } from './likely.ts';
export { watchMergedCharts } from './merged-charts.ts';
export {
  type SignUpsToSeeTo,
  signUpsToSeeTo,
  unclearPatients,
  waitingPairs,
} from './likely.store.ts';
export { erasePairs, spentPairs } from './likely.store.ts';
export { addPatient, likelyPatients } from './new-patient.ts';
export { mergePatients, previewMerge, undoMerge } from './merge-records.ts';
export {
  type DocumentDecision,
  LONGEST_DOCUMENT_REASON,
  decideDocument,
  listDocuments,
  openDocument,
} from './documents.ts';
export {
  type DocumentPlace,
  countDocumentsNotInEmr,
  hasWaitingDocument,
} from './documents.store.ts';
export {
  eraseFoldedName,
  patientNames,
  recordsOf,
  spentFoldedNames,
} from './find-patients.store.ts';
