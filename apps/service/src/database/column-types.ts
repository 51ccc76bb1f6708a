import { bigint, customType } from 'drizzle-orm/pg-core';

/** Ciphertext, hashes, MACs. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** Epoch seconds, in columns named `…_s`. */
export const seconds = (name: string) => bigint(name, { mode: 'number' });
