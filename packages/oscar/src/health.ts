import { OscarOffline, OscarRefused } from './errors.ts';
import type { Link } from './link.ts';

export type Health = 'online' | 'offline' | 'refused';

export function healthCalls({ rest, soap }: Link) {
  return {
    /** SOAP: `isAlive` needs no login. Without SOAP by REST: a token that is not taken is alive too. */
    async isAlive(): Promise<boolean> {
      try {
        if (soap === null) {
          await rest.isAuthorised();
          return true;
        }
        const [answer] = await soap.open({ service: 'SystemInfoService', operation: 'isAlive' });
        return answer === 'alive';
      } catch (error) {
        if (error instanceof OscarRefused) return true;
        if (error instanceof OscarOffline) return false;
        throw error;
      }
    },

    /** Whether OSCAR takes both credentials. */
    async isAuthorised(): Promise<boolean> {
      if (!(await rest.isAuthorised())) return false;
      if (soap === null) return true;
      try {
        await soap.call({ service: 'ScheduleService', operation: 'getAppointmentTypes' });
        return true;
      } catch (error) {
        if (error instanceof OscarRefused) return false;
        throw error;
      }
    },
  };
}

type HealthCalls = ReturnType<typeof healthCalls>;

/**
 * Follows whether OSCAR answers: two failures in a row are offline, one success is online again.
 * `check` is called every 20 seconds by whoever has the clock, and with `credentials` every five
 * minutes; without SOAP every 60 seconds, for then it costs the same.
 */
export function healthOf(calls: HealthCalls) {
  let failures = 0;
  let isRefused = false;
  const current = (): Health => (failures >= 2 ? 'offline' : isRefused ? 'refused' : 'online');
  return {
    current,
    async check({ credentials = false } = {}): Promise<Health> {
      const isUp = await succeeds(() => calls.isAlive());
      failures = isUp ? 0 : failures + 1;
      if (isUp && credentials) isRefused = !(await succeeds(() => calls.isAuthorised()));
      return current();
    },
  };
}

async function succeeds(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch {
    return false;
  }
}
