/** Nothing was written, or the question was not answered. */
export class EmrOffline extends Error {
  override readonly name: string = 'EmrOffline';
}

/** Other requests of this service took too long, or the EMR is spared: nothing was asked or written. */
export class EmrBusy extends EmrOffline {
  override readonly name: string = 'EmrBusy';
}

/** A write may have happened: look its key up, never repeat it blindly. */
export class EmrOutcomeUnknown extends Error {
  override readonly name = 'EmrOutcomeUnknown';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super('The outcome of a write to the clinic records is unknown', options);
    this.key = key;
  }
}

/** Credentials or permissions: nobody but an operator can mend it. */
export class EmrRefused extends Error {
  override readonly name = 'EmrRefused';
}

/** Whether the EMR did not answer, or not as it should: a failure of the EMR and not of the service. */
export const isOfEmr = (error: unknown): boolean =>
  error instanceof EmrOffline || error instanceof EmrOutcomeUnknown || error instanceof EmrRefused;
