import type { EpochSeconds } from '@clinic/domain';
import { useSyncExternalStore } from 'react';

/** How far the device's clock, of which there is one, is behind the clinic's, in milliseconds. */
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

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
}

/** The clinic's now, as it passes. */
export function useClinicNow(): EpochSeconds {
  return useSyncExternalStore(everySecond, clinicNow);
}

const clinicMinute = (): EpochSeconds => clinicNow() - (clinicNow() % 60);

/** The whole minute that it is at the clinic: appointments begin, and notice ends, on one. */
export function useClinicMinute(): EpochSeconds {
  return useSyncExternalStore(everySecond, clinicMinute);
}
