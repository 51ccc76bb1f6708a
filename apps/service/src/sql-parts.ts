import { MEDICAL_PROFILES } from './modules/immigration/index.ts';
import { IN_CLOSED_TIME } from './modules/closings/index.ts';
import { PATIENTS_WHO_BOOK } from './modules/accounts/index.ts';
import {
  EVER_PAID,
  MONEY_KEPT,
  MONEY_MOVED,
  MONEY_RESTORED,
  PAID_NOW,
  RECEIPTS,
} from './modules/payments/index.ts';
import type { LaterParts } from './platform.ts';

/** The parts of later modules that statements of earlier ones join; the table's owner writes each. */
export const parts: LaterParts = {
  patients: PATIENTS_WHO_BOOK,
  medicalProfiles: MEDICAL_PROFILES,
  receipts: RECEIPTS,
  paidNow: PAID_NOW,
  everPaid: EVER_PAID,
  moneyMoved: MONEY_MOVED,
  moneyKept: MONEY_KEPT,
  moneyRestored: MONEY_RESTORED,
  inClosedTime: IN_CLOSED_TIME,
};
