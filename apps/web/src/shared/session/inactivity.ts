import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { callService } from '../../api/service.ts';
import { ofAllTabs } from '../../api/storage.ts';
import { endSession } from './session.ts';

/** Signs out after twenty minutes, with a warning at nineteen. */
const INACTIVITY_MS = 1_200_000;
const WARNING_MS = INACTIVITY_MS - 60_000;
/** While the patient is active, the session is renewed at most this often. */
const RENEW_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

const ACTIVE_KEY = 'clinic.active';
const RENEWED_KEY = 'clinic.renewed';
const signs = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** Calls back once, when the patient next does anything. Returns a function that stops it. */
export function onNextSign(act: () => void): () => void {
  const waiting = new AbortController();
  const once = () => {
    waiting.abort();
    act();
  };
  const { signal } = waiting;
  for (const sign of signs) window.addEventListener(sign, once, { passive: true, signal });
  return () => waiting.abort();
}

/**
 * Signs the patient out after twenty minutes without input in any tab. Returns whether the last
 * minute has begun, and a function that extends the session.
 */
export function useInactivity(): { readonly warning: boolean; readonly stay: () => void } {
  const queryClient = useQueryClient();
  const [warning, setWarning] = useState(false);

  const stay = useCallback(() => {
    stamp(ACTIVE_KEY);
    setWarning(false);
    renew();
  }, []);

  // Listens to the page and to the clock while somebody is signed in.
  useEffect(() => {
    stamp(ACTIVE_KEY);
    // The sign-in or the call of `me` has just renewed the session.
    stamp(RENEWED_KEY);
    const onSign = () => {
      // In the last minute only the answer to the warning extends the session.
      if (sinceStamp(ACTIVE_KEY) >= WARNING_MS) return;
      stamp(ACTIVE_KEY);
      if (sinceStamp(RENEWED_KEY) >= RENEW_EVERY_MS) renew();
    };
    const look = () => {
      const idle = sinceStamp(ACTIVE_KEY);
      if (idle >= INACTIVITY_MS) return endSession(queryClient, { why: 'inactivity' });
      setWarning(idle >= WARNING_MS);
      // Report the last activity to the service too: counting from an earlier one, the service
      // would end the session that the warning offers to extend.
      const renewed = sinceStamp(RENEWED_KEY);
      if (idle < renewed && renewed >= RENEW_EVERY_MS) renew();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    document.addEventListener('visibilitychange', look);
    for (const sign of signs) window.addEventListener(sign, onSign, { passive: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      for (const sign of signs) window.removeEventListener(sign, onSign);
    };
  }, [queryClient]);

  return { warning, stay };
}

function renew(): void {
  stamp(RENEWED_KEY);
  void callService('renewSession', {});
}

/** Tabs share the times of the last activity; without storage, each tab has its own. */
const ownStamps = new Map<string, number>();

function stamp(key: string): void {
  const now = Date.now();
  ownStamps.set(key, now);
  ofAllTabs.write(key, String(now));
}

function sinceStamp(key: string): number {
  const since = Date.now() - Math.max(ownStamps.get(key) ?? 0, Number(ofAllTabs.read(key)));
  if (since >= 0) return since;
  // The device's clock was set back: count from now.
  stamp(key);
  return 0;
}
