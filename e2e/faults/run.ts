import type { Operation } from './history.ts';

export type AppointmentState =
  'held' | 'released' | 'booked' | 'registered' | 'cancelled' | 'rescheduled';

/** An appointment as the database has it when everything is quiet again. */
export interface FinalRow {
  readonly id: string;
  readonly patient: string;
  readonly provider: string;
  readonly start: number;
  readonly end: number;
  readonly date: string;
  readonly state: AppointmentState;
  readonly rescheduledFrom: string | null;
  readonly requestKey: string | null;
}

/** All that a checker looks at. */
export interface Run {
  readonly operations: readonly Operation[];
  readonly rows: readonly FinalRow[];
  /** Patients who may have one appointment a clinic day only. */
  readonly onceADay: ReadonlySet<string>;
}

export interface Anomaly {
  readonly checker: string;
  readonly says: string;
}

export interface Checker {
  readonly name: string;
  readonly check: (run: Run) => readonly string[];
}

export const isAppointment = (state: AppointmentState) => state !== 'held' && state !== 'released';

export const stands = (state: AppointmentState) => state === 'booked' || state === 'registered';

export const isActive = (state: AppointmentState) => state === 'held' || stands(state);
