import { setTimeout as later } from 'node:timers';

// What another system has seconds to answer is not given up because the machine is busy: a test of giving up ends
// the call itself, or moves the timers.
const PATIENCE_MS = 300_000;
/** Those of an EMR's answer (records/emr.ts). */
const EMR_MS = 8_000;

const deadline = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => deadline(ms < 5_000 ? ms : PATIENCE_MS);

globalThis.setTimeout = Object.assign(
  (work: () => void, ms?: number, ...rest: []) =>
    later(work, ms === EMR_MS ? PATIENCE_MS : ms, ...rest),
  later,
);
