/** A link to a map of the address: opens the map app of a phone, or a web page. */
export const mapLink = (address: string): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
