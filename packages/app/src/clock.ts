import type { EpochSeconds } from '@clinic/domain';
import { useSyncExternalStore } from 'react';

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

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
}

/** Current time by the clinic's clock, updated every second. */
export function useClinicNow(): EpochSeconds {
  return useSyncExternalStore(everySecond, clinicNow);
}

const clinicMinute = (): EpochSeconds => clinicNow() - (clinicNow() % 60);

/** Current whole minute by the clinic's clock: appointments start, and notice periods end, on minutes. */
export function useClinicMinute(): EpochSeconds {
  return useSyncExternalStore(everySecond, clinicMinute);
}
