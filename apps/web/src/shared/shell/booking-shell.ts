import { useEffect } from 'react';
import { createStore, useStore } from '../store.ts';

// What the booking journey and the shell around it say to each other, though neither knows the other.

const footerHidden = createStore(false);
const resets = new Set<() => void>();

/** The footer is hidden only on home in state confirm: the journey says when. */
export function useHideFooter(hidden: boolean): void {
  useEffect(() => {
    footerHidden.set(hidden);
    return () => footerHidden.set(false);
  }, [hidden]);
}

export function useFooterHidden(): boolean {
  return useStore(footerHidden);
}

/** The clinic's title links home and resets the booking: the journey listens here. */
export function onBookingReset(reset: () => void): () => void {
  resets.add(reset);
  return () => {
    resets.delete(reset);
  };
}

export function resetBooking(): void {
  for (const reset of resets) reset();
}
