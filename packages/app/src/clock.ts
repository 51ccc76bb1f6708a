import type { EpochSeconds } from '@clinic/domain';

/** How far the device's clock is behind the clinic's, in milliseconds. Module state: one per device. */
let offsetMs = 0;

/** Takes the clinic's time from the `Date` header of an answer; an invalid header is ignored. */
export function correctClock(response: Response): void {
  const header = response.headers.get('date');
  const served = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(served)) return;
  const difference = served - Date.now();
  // The header counts whole seconds, so a difference below one second means nothing.
  if (Math.abs(difference - offsetMs) >= 1000) offsetMs = difference;
}

/** A time of the device's clock, in milliseconds, by the clinic's. */
export const toClinicTime = (ms: number): EpochSeconds => Math.floor((ms + offsetMs) / 1000);

/** Current time by the clinic's clock, in whole seconds, whatever the device's clock says. */
export const clinicNow = (): EpochSeconds => toClinicTime(Date.now());
