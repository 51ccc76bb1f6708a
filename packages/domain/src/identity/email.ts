/** Most characters of an address (RFC 5321). */
export const EMAIL_MAXIMUM = 254;

/** An address as it is kept and compared: trimmed, lower case. */
export function normaliseEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/** Whether a normalised address can receive mail: one @, no space, a dot in the domain. */
export function isEmail(address: string): boolean {
  return (
    address.length <= EMAIL_MAXIMUM &&
    /^[^\s@<>()",;:\\]+@[^\s@.<>()",;:\\]+(\.[^\s@.<>()",;:\\]+)+$/.test(address)
  );
}
