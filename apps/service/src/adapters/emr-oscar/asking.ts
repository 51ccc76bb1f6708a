import {
  type Oscar,
  OscarFault,
  OscarOffline,
  OscarOutcomeUnknown,
  OscarRefused,
} from '@clinic/oscar';

import { EmrOffline, EmrOutcomeUnknown, EmrRefused } from '../../modules/records/emr.ts';

/** Asks OSCAR, and turns its errors into those of the port. `key` names the write, if any. */
export type AskOscar = <Answer>(
  ask: (oscar: Oscar) => Promise<Answer>,
  key?: string,
) => Promise<Answer>;

/**
 * Asks at the address that answered last, and at the next one only when OSCAR cannot be reached there,
 * which means that nothing was written.
 */
export function askOscar(addresses: readonly Oscar[]): AskOscar {
  let order = [...addresses];
  return async (ask, key = '') => {
    for (const [at, oscar] of order.entries())
      try {
        const answer = await ask(oscar);
        if (at > 0) order = [oscar, ...order.filter((each) => each !== oscar)];
        return answer;
      } catch (error) {
        if (!(error instanceof OscarOffline) || at === order.length - 1)
          throw inWordsOfPort(error, key);
      }
    throw new EmrOffline('OSCAR has no address');
  };
}

function inWordsOfPort(error: unknown, key: string): unknown {
  if (error instanceof OscarOffline) return new EmrOffline(error.message, { cause: error });
  if (error instanceof OscarOutcomeUnknown) return new EmrOutcomeUnknown(key, { cause: error });
  // OSCAR answered with a refusal or a fault: most often a role is missing.
  if (error instanceof OscarRefused || error instanceof OscarFault)
    return new EmrRefused(error.message, { cause: error });
  return error;
}
