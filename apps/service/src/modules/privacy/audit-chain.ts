import type { Keyring } from '../../security/keyring.ts';

/** One link: its number, counted from 1, and the MAC over it, the row and the link before. */
export interface Link {
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

export const NO_LINK: Link = { number: 0n, bytes: new Uint8Array() };

const CONTEXT = 'audit.chain';

export function nextLink(
  keyring: Pick<Keyring, 'mac'>,
  before: Link,
  row: { readonly id: number; readonly mac: Uint8Array },
): Link {
  const number = before.number + 1n;
  const mac = keyring.mac(CONTEXT, chained(before, number, row));
  return { number, bytes: Buffer.concat([numbered(number), mac]) };
}

export function isLink(
  keyring: Pick<Keyring, 'vouches'>,
  before: Link,
  row: { readonly id: number; readonly mac: Uint8Array; readonly chain: Uint8Array },
): boolean {
  const number = numberOf(row.chain);
  return keyring.vouches(CONTEXT, chained(before, number, row), row.chain.subarray(8));
}

export const linkOf = (chain: Uint8Array): Link => ({ number: numberOf(chain), bytes: chain });

export const numberOf = (chain: Uint8Array): bigint =>
  chain.length < 8 ? 0n : Buffer.from(chain).readBigUInt64BE(0);

function numbered(number: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(number);
  return bytes;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function chained(
  before: Link,
  number: bigint,
  { id, mac }: { readonly id: number; readonly mac: Uint8Array },
): string {
  return `${number}:${hex(before.bytes)}:${id}:${hex(mac)}`;
}
