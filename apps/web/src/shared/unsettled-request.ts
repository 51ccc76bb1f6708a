import { holdIdOfKey } from '@clinic/domain';
import { ofAllTabs } from '../api/storage.ts';

/**
 * Storage key for the patient's last request that may have booked something this browser has not
 * heard of. The entry survives a reload and a new sign-in, and every tab sees it. It reveals
 * nothing about the appointment; nor does the patient's id.
 */
const nameOf = (patientId: string) => `clinic.unsettled.${patientId}`;

/** Fallback when the browser's storage is closed or full; lasts as long as the page. */
const here = new Map<string, string>();

export function readUnsettled(patientId: string): string | null {
  return here.get(patientId) ?? ofAllTabs.read(nameOf(patientId));
}

export function keepUnsettled(patientId: string, key: string): void {
  if (ofAllTabs.write(nameOf(patientId), key)) here.delete(patientId);
  else here.set(patientId, key);
}

/** Forgets the request once the patient knows its outcome; a later request of another tab stays. */
export function dropUnsettled(patientId: string, key: string): void {
  if (readUnsettled(patientId) !== key) return;
  here.delete(patientId);
  ofAllTabs.write(nameOf(patientId), null);
}

/**
 * Called when the patient sees these appointments. An appointment keeps the id of its hold, so the
 * unsettled request is among them if it booked.
 */
export function sawAppointments(patientId: string, appointmentIds: readonly string[]): void {
  const key = readUnsettled(patientId);
  const hold = key === null ? null : holdIdOfKey(key);
  if (key !== null && hold !== null && appointmentIds.includes(hold)) dropUnsettled(patientId, key);
}
