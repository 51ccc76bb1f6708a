import type { KeyName, Link } from './link.ts';

/**
 * Whether OSCAR answers us, who have a login and a token: what answers anybody says nothing of its database. Both
 * throw what is wrong.
 */
export const healthCalls = ({ rest, soap, proved, now }: Link) => ({
  /** By SOAP. Answers the time of the server in milliseconds of the epoch. */
  checkLogin: soap.check,
  checkToken: rest.check,
  /** Whether OSCAR took a key within so many seconds, and has refused nothing since: then no check is needed. */
  wasTaken: (key: KeyName, seconds: number) => now() - proved[key] <= seconds * 1000,
});
