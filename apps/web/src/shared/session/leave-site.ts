type Way = 'assign' | 'replace';

let go = (address: string, way: Way): void => {
  // Whoever comes back meets the page anew, and not the loader that was left.
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
  window.location[way](address);
};

/**
 * To a page outside this app, such as the clinic's dashboard. 'replace' where the browser's way back
 * would only lead there again.
 */
export function leaveSite(address: string, way: Way = 'assign'): void {
  go(address, way);
}

/** Tests bring another way. */
export function leaveThrough(other: (address: string) => void): void {
  go = other;
}
