/**
 * The errors of a call. No message and no cause contains anything of an answer's body: OSCAR's errors contain
 * class names and patients' data.
 */

/** Nothing was written, or a question was not answered: OSCAR cannot be reached now. */
export class OscarOffline extends Error {
  override readonly name = 'OscarOffline';
}

/** A write may have happened: look before writing again. */
export class OscarOutcomeUnknown extends Error {
  override readonly name = 'OscarOutcomeUnknown';
}

/** Credentials, a role or a firewall: only a person can fix it. */
export class OscarRefused extends Error {
  override readonly name = 'OscarRefused';
  readonly by: 'oauth' | 'soap' | 'firewall';
  constructor(by: 'oauth' | 'soap' | 'firewall', message: string) {
    super(message);
    this.by = by;
  }
}

/** OSCAR answered with something else than was asked; nothing was written. */
export class OscarFault extends Error {
  override readonly name = 'OscarFault';
}

/** This client refused to send it; OSCAR received nothing. */
export class OscarInvalid extends Error {
  override readonly name = 'OscarInvalid';
}
