let go = (address: string): void => window.location.assign(address);

/** To a page outside this app, such as the clinic's dashboard. */
export function leaveSite(address: string): void {
  go(address);
}

/** Tests bring another way. */
export function leaveThrough(other: (address: string) => void): void {
  go = other;
}
