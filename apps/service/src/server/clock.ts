/** The service's idea of now, in epoch seconds; its production adapter follows the database. */
export interface Clock {
  now(): number;
  /**
   * Asked before an answer begins: resolves once `now` can be believed, which is at once unless the
   * host slept or its clock was set. Never rejects, and takes no longer than a second.
   */
  sure?(): Promise<void>;
}
