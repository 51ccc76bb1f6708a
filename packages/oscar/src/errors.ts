/**
 * What can go wrong with a call. No message and no cause carries anything of an answer's body:
 * OSCAR's errors contain class names and patients' data.
 */

/** Nothing was written, or the question was not answered: OSCAR cannot be reached now. */
export class OscarOffline extends Error {
  override readonly name = 'OscarOffline';
}

/** A write may have happened: look before you write again. */
export class OscarOutcomeUnknown extends Error {
  override readonly name = 'OscarOutcomeUnknown';
}

/** Credentials, a role or a firewall: nobody but a person can mend it. */
export class OscarRefused extends Error {
  override readonly name = 'OscarRefused';
  readonly by: 'oauth' | 'soap' | 'firewall';
  constructor(by: 'oauth' | 'soap' | 'firewall', message: string) {
    super(message);
    this.by = by;
  }
}

/** OSCAR answered, but not the question; nothing was written. */
export class OscarFault extends Error {
  override readonly name = 'OscarFault';
}

/** The client itself refused to send this; OSCAR heard nothing of it. */
export class OscarInvalid extends Error {
  override readonly name = 'OscarInvalid';
}
