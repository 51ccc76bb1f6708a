import type { Operation } from './history.ts';

export type ClaimState =
  'held' | 'released' | 'booked' | 'registered' | 'cancelled' | 'rescheduled';

/** A claim as the database has it when everything is quiet again. */
export interface FinalClaim {
  readonly id: string;
  readonly patient: string;
  readonly provider: string;
  readonly start: number;
  readonly end: number;
  readonly date: string;
  readonly state: ClaimState;
  readonly rescheduledFrom: string | null;
  readonly requestKey: string | null;
}

/** All that a checker looks at. */
export interface Run {
  readonly operations: readonly Operation[];
  readonly claims: readonly FinalClaim[];
  /** Patients who may have one visit a clinic day only. */
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

export const isVisit = (state: ClaimState) => state !== 'held' && state !== 'released';

export const stands = (state: ClaimState) => state === 'booked' || state === 'registered';

export const isActive = (state: ClaimState) => state === 'held' || stands(state);
