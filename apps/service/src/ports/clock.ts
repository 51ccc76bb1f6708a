/** The service's idea of now, in epoch seconds; its production adapter follows the database. */
export interface Clock {
  now(): number;
}
