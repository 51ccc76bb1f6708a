import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { entryOf } from './journey-history.ts';

/**
 * An open dialog is an entry of the browser's history, so that its Back closes the dialog and does
 * not leave the step beneath it. `close` is null while the dialog must stay.
 */
export function useBackCloses(open: boolean, close: (() => void) | null): void {
  const entry = entryOf(useLocation().state);
  const navigate = useNavigate();
  const onDialog = entry?.dialog === true;
  const before = useRef({ open: false, onDialog: false });

  useEffect(() => {
    const was = before.current;
    before.current = { open, onDialog };
    if (open && !was.open && !onDialog) {
      // What a closed dialog leaves to be read is in view; going back would scroll away from it.
      window.history.scrollRestoration = 'manual';
      void navigate('/', { state: { ...entry, dialog: true } });
    } else if (!open && was.open && onDialog) void navigate(-1);
    else if (open && was.onDialog && !onDialog) close?.();
  });
}
