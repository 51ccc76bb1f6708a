import type { WirePharmacy } from '@clinic/contract';

/** §5: the search begins at so many typed characters. */
export const SEARCH_MINIMUM = 3;

/** The pharmacies that have every typed word in their name, address or phone, by name. */
export function findPharmacies(
  pharmacies: readonly WirePharmacy[],
  typed: string,
): readonly WirePharmacy[] {
  const words = plain(typed).split(' ').filter(Boolean);
  const digits = typed.replace(/[\s()+.-]/g, '');
  const isNumber = /^\d{3,}$/.test(digits);
  return pharmacies
    .filter(({ name, address, phone1 }) => {
      if (isNumber && phone1.replace(/\D/g, '').includes(digits)) return true;
      const text = plain(`${name} ${address.address}`);
      return words.every((word) => text.includes(word));
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Whether enough was typed to search with. */
export function isSearch(typed: string): boolean {
  return Array.from(typed.trim()).length >= SEARCH_MINIMUM;
}

/** Lower case, without accents, spaces single: 'St. André' is found by 'st andre'. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}.,'’-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
