import { holdOfKey } from '@clinic/domain';

/**
 * The key of the last request of a patient that may have booked something of which this browser has
 * not heard yet. It survives a reload, a new sign-in and stands in every tab; it says
 * nothing of the appointment, and neither does the patient's id beside it.
 */
const nameOf = (patientId: string) => `clinic.unsettled.${patientId}`;

/** What a browser did not keep, be it closed or full, lasts as long as the page. */
const here = new Map<string, string>();

export function readUnsettled(patientId: string): string | null {
  const key = here.get(patientId);
  if (key !== undefined) return key;
  try {
    return localStorage.getItem(nameOf(patientId));
  } catch {
    return null;
  }
}

export function keepUnsettled(patientId: string, key: string): void {
  try {
    localStorage.setItem(nameOf(patientId), key);
    here.delete(patientId);
  } catch {
    here.set(patientId, key);
  }
}

/** The patient has heard what became of it; a later request of another tab stays. */
export function dropUnsettled(patientId: string, key: string): void {
  if (readUnsettled(patientId) !== key) return;
  here.delete(patientId);
  try {
    localStorage.removeItem(nameOf(patientId));
  } catch {
    // Then it keeps none.
  }
}

/**
 * The patient sees these appointments. The one of the request is among them when its hold became
 * it.
 */
export function sawAppointments(patientId: string, appointmentIds: readonly string[]): void {
  const key = readUnsettled(patientId);
  const hold = key === null ? null : holdOfKey(key);
  if (key !== null && hold !== null && appointmentIds.includes(hold)) dropUnsettled(patientId, key);
}
