import type { EpochSeconds } from '@clinic/domain';
import { useSyncExternalStore } from 'react';
import { clinicNow } from './clock.ts';

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
