import {
  type Oscar,
  OscarFault,
  OscarOffline,
  OscarOutcomeUnknown,
  OscarRefused,
  OscarSpared,
} from '@clinic/oscar';

import { EmrBusy, EmrOffline, EmrOutcomeUnknown, EmrRefused } from '../../modules/records/emr.ts';

/** Asks OSCAR, and turns its errors into those of the port. `key` names the write, if any. */
export type AskOscar = <Answer>(
  ask: (oscar: Oscar) => Promise<Answer>,
  key?: string,
) => Promise<Answer>;

/** What OSCAR is spoken to with. */
export interface Connected {
  /** The address of the clinic's OSCAR, and perhaps a second one. */
  readonly addresses: readonly Oscar[];
  readonly programId: number;
  /** When the token ends, where OSCAR said so. */
  readonly tokenEndsAt?: number | undefined;
  readonly tokenSeconds?: number | undefined;
}

/** Clinics connect anew while the service runs: with a new token, or another password. */
export interface Connection {
  readonly current: () => Connected;
  /** Reads what was kept since; true where that is something new. */
  readonly takeUp: () => Promise<boolean>;
}

/** A connection for good. */
export const connectedBy = (connected: Connected): Connection => ({
  current: () => connected,
  takeUp: async () => false,
});

/**
 * Asks at the address that answered last, and at the next one only when OSCAR cannot be reached there,
 * which means that nothing was written. What is refused was not written either: it is asked once more
 * where the clinic has connected OSCAR anew.
 */
export function askOscar({ current, takeUp }: Connection): AskOscar {
  let { addresses } = current();
  let order = [...addresses];
  return async (ask, key = '') => {
    const used = current();
    try {
      return await atSome(ask, key);
    } catch (error) {
      if (!(error instanceof EmrRefused)) throw error;
      await takeUp();
      if (current() === used) throw error;
      return atSome(ask, key);
    }
  };

  async function atSome<Answer>(
    ask: (oscar: Oscar) => Promise<Answer>,
    key: string,
  ): Promise<Answer> {
    if (addresses !== current().addresses) {
      ({ addresses } = current());
      order = [...addresses];
    }
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
  }
}

function inWordsOfPort(error: unknown, key: string): unknown {
  if (error instanceof OscarSpared) return new EmrBusy(error.message, { cause: error });
  if (error instanceof OscarOffline) return new EmrOffline(error.message, { cause: error });
  if (error instanceof OscarOutcomeUnknown) return new EmrOutcomeUnknown(key, { cause: error });
  // OSCAR answered with a refusal or a fault: most often a role is missing.
  if (error instanceof OscarRefused || error instanceof OscarFault)
    return new EmrRefused(error.message, { cause: error });
  return error;
}
