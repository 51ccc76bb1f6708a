import { OscarOffline, OscarRefused } from './errors.ts';
import type { Link } from './link.ts';

export function healthCalls({ rest, soap }: Link) {
  return {
    /** By SOAP, which needs no login, else by REST. An OSCAR that refuses our token is alive too. */
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

    /** Whether OSCAR accepts both credentials. */
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
