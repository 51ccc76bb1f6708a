import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { dictionary } from '@zxcvbn-ts/language-common';

/** Argon2id: memory in KiB. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
}

export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2 };

const derive = promisify(argon2);
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** `$argon2id$v=19$m=…,t=…,p=1$salt$hash`, base64 without padding. */
export async function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, salt, cost);
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${text(salt)}$${text(tag)}`;
}

/** Takes as long for a wrong password as for the right one. */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!parts) throw new Error('This is no stored password');
  const [, memory, passes, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes) };
  return timingSafeEqual(await tagOf(password, Buffer.from(salt, 'base64'), cost), expected);
}

/**
 * Compares a password with the one that is stored. Where there is no account (null) it takes as long, with a
 * hash of the usual cost that is made once.
 */
export function passwordCheck(cost: PasswordCost, token: () => string) {
  let nobodys: Promise<string> | undefined;
  return async (password: string, stored: string | null): Promise<boolean> => {
    nobodys ??= hashPassword(token(), cost);
    return passwordMatches(password, stored ?? (await nobodys));
  };
}

function tagOf(password: string, nonce: Buffer, { memory, passes }: PasswordCost) {
  const message = Buffer.from(password.normalize('NFC'), 'utf8');
  return derive('argon2id', {
    message,
    nonce,
    memory,
    passes,
    parallelism: 1,
    tagLength: TAG_BYTES,
  });
}

/** the 10,000 commonest passwords among those of at least the required length, in lower case. */
const LENGTH = 8;
const COMMONEST = 10_000;
const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= LENGTH).slice(0, COMMONEST),
);

/** True when a password is one of the commonest, in upper or lower case. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}
