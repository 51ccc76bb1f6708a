import { isBcHealthNumber } from '@clinic/domain';

/** The nth invented BC health number that passes the checksum; different for each n. */
export function validBcNumber(n: number): string {
  for (let serial = n * 11; ; serial++) {
    const start = `9${String(20_000_000 + serial).padStart(8, '0')}`;
    for (let check = 0; check < 10; check++)
      if (isBcHealthNumber(`${start}${check}`)) return `${start}${check}`;
  }
}
