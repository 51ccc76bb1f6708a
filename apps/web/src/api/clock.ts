import type { EpochSeconds } from '@clinic/domain';

/** How far the device's clock is behind the clinic's, in milliseconds. */
let offsetMs = 0;

/**
 * Takes the clinic's time from the `Date` header of an answer; a header without a date is ignored.
 */
export function correctClock(response: Response): void {
  const header = response.headers.get('date');
  const served = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(served)) return;
  const difference = served - Date.now();
  // The header counts whole seconds: half a second of difference says nothing.
  if (Math.abs(difference - offsetMs) >= 1000) offsetMs = difference;
}

/** The clinic's now, in whole seconds, whatever the device's clock says. */
export function clinicNow(): EpochSeconds {
  return Math.floor((Date.now() + offsetMs) / 1000);
}
