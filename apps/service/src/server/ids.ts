/** Randomness, handed in so that rules and tests stay repeatable. */
export interface Ids {
  /** A random UUID for rows and public ids. */
  uuid(): string;
  /** 256 random bits, base64url: access tokens and one-time links. */
  token(): string;
}
