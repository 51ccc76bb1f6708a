const KEY = 'clinic.reschedule';

/**
 * The id of the appointment that the patient chose to move, on its way from My Appointments to the
 * booking. Nothing else of the appointment is kept in the browser.
 */
export function keepRescheduleTarget(appointmentId: string): void {
  try {
    sessionStorage.setItem(KEY, appointmentId);
  } catch {
    // A browser that keeps nothing: a reload then forgets which appointment is moved.
  }
}

export function dropRescheduleTarget(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was nothing to remove.
  }
}

export function readRescheduleTarget(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
