import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import { STEPS, type Step, type OpenJourney } from './journey.ts';

const position = (step: Step) => STEPS.indexOf(step);

interface Entry {
  readonly step: Step;
  /** The step of the entry beneath, when this journey made it. */
  readonly under: Step | null;
  /** The entry of a dialog that stands open over its step. */
  readonly dialog: boolean;
}

const FIRST: Entry = { step: 'schedule', under: null, dialog: false };

export function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('step' in state)) return null;
  const step = STEPS.find((one) => one === state.step);
  if (step === undefined) return null;
  const under = 'under' in state ? STEPS.find((one) => one === state.under) : undefined;
  return { step, under: under ?? null, dialog: 'dialog' in state && state.dialog === true };
}

const entryAbove = (under: Step, step: Step): Entry => ({ step, under, dialog: false });

/** Each step is an entry of the browser's history, so that its Back steps back in the journey. */
export function useJourneyHistory({ journey, send }: OpenJourney): void {
  const step = journey.draft.step;
  const location = useLocation();
  const { key } = location;
  const state: unknown = location.state;
  const pressedBackOrForward = useNavigationType() === NavigationType.Pop;
  const navigate = useNavigate();
  const before = useRef<{ step: Step; key: string } | null>(null);

  useEffect(() => {
    const was = before.current;
    before.current = { step, key };
    const entry = entryOf(state) ?? FIRST;
    if (entry.step === step) return;
    const replace = (next: Entry) => void navigate('/', { replace: true, state: next });

    if (was !== null && was.key !== key && pressedBackOrForward) {
      const back = position(step) - position(entry.step);
      if (step === 'booked') send({ type: 'reset' });
      else if (back > 0) for (let i = 0; i < back; i += 1) send({ type: 'back' });
      else replace({ ...entry, step, dialog: false });
      return;
    }
    const forward = was !== null && position(step) > position(was.step);
    // What led on from a dialog takes the place of its entry; what led back leaves it as well.
    if (forward && step !== 'booked')
      void navigate('/', { replace: entry.dialog, state: entryAbove(entry.step, step) });
    else if (was !== null && was.step !== step && entry.under === step)
      void navigate(entry.dialog ? -2 : -1);
    else replace({ step, under: entry.under, dialog: false });
  }, [step, key, state, pressedBackOrForward, navigate, send]);
}

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
