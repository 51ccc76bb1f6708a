type Way = 'assign' | 'replace';

// Module state, as jsdom goes to no other page: tests put their own way here.
let go = (address: string, way: Way): void => {
  // When the patient comes back, reload: a restored page would still show the busy state it left in.
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
  window.location[way](address);
};

/**
 * Goes to a page outside this app, such as the clinic's dashboard. Use 'replace' where the
 * browser's Back would only lead out again.
 */
export function leaveSite(address: string, way: Way = 'assign'): void {
  go(address, way);
}

/** Replaces the navigation in tests. */
export function leaveThrough(other: (address: string) => void): void {
  go = other;
}
