import type { SlotChange } from '@clinic/contract';
import { act } from '@testing-library/react';
import { listenThrough, type LiveListener } from '../api/live.ts';

const listeners = new Set<LiveListener>();

/** No socket is opened in these tests: what the service would say is said here. */
listenThrough((listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
});

export const listening = () => listeners.size;

export function serviceSays(...changes: readonly SlotChange[]): void {
  act(() => {
    for (const { onSlots } of listeners) onSlots?.(changes);
  });
}

/** What else the service or the connection says. */
export function sayLive(whom: (listener: LiveListener) => void): void {
  act(() => {
    for (const listener of listeners) whom(listener);
  });
}

export function liveSays(
  what:
    | 'onMessages'
    | 'onAppointments'
    | 'onAccount'
    | 'onOffline'
    | 'onOnline'
    | 'onPaused'
    | 'onConnect'
    | 'onNotYetOpen'
    | 'onUnheard'
    | 'onReturn'
    | 'onLost'
    | 'onTurnedAway',
): void {
  sayLive((listener) => listener[what]?.());
}
