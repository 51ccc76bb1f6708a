/** Where a map shows an address; the link opens the map of a phone, or a page. */
export const mapLink = (address: string): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
