import type { Waits } from '../src/database/engine-postgres.ts';

/** For many at once on a machine of any speed: nobody is sent away for having waited. */
export const patientWaits: Waits = { lockMs: 60_000, statementMs: 60_000 };
