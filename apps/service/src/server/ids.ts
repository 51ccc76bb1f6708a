import { randomBytes, randomUUID } from 'node:crypto';

/** Randomness, handed in so that rules and tests stay repeatable. */
export interface Ids {
  /** A random UUID for rows and public ids. */
  uuid(): string;
  /** 256 random bits, base64url: access tokens and one-time links. */
  token(): string;
}

export const randomIds: Ids = {
  uuid: randomUUID,
  token: () => randomBytes(32).toString('base64url'),
};

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a uuid column can be asked for it; any other text is an unknown id. */
export const isUuid = (text: string): boolean => SHAPE.test(text);
