import { askedNow, outcomeComes } from '@clinic/ui/focus';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { onSessionEnd } from './session/session.ts';
import { announce } from './shell/alerts.tsx';

interface Settled<Result, Input> {
  /** The action stays pending until a promise returned here has settled. */
  readonly onDone?: (result: Result, input: Input) => unknown;
  readonly onFailed?: (error: Error, input: Input) => unknown;
  /** What is announced if the patient has left the form by the time that it fails. */
  readonly afterLeaving?: (error: Error, input: Input) => string;
}

interface Action<Result, Input> {
  /** Does nothing while an earlier press is pending, however soon the second press comes. */
  readonly run: (input: Input) => void;
  readonly pending: boolean;
  /** The input of the last press. */
  readonly input: Input | undefined;
  readonly result: Result | undefined;
  /** The error of the last press, for `ActionOutcome`; reset to null by the next press. */
  readonly error: Error | null;
  /** Changes with every press. */
  readonly press: number;
  /** Resets the action, as if nothing had been pressed. */
  readonly forget: () => void;
}

/** A button press that calls the service. */
export function useAction<Result, Input = void>(
  work: (input: Input) => Promise<Result>,
  { onDone, onFailed, afterLeaving }: Settled<Result, Input> = {},
): Action<Result, Input> {
  // A second press can come before React has rendered `pending`.
  const underWay = useRef(false);
  // Set once the patient has logged out: then neither they nor the next patient hear of the outcome.
  const hasLeft = useRef(false);
  const isHere = useRef(true);
  const isAwaited = useRef<() => boolean>(() => true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const { mutate, isPending, variables, data, error, submittedAt, reset } = useMutation({
    mutationFn: async (input: Input) => {
      const stop = onSessionEnd(({ why }) => {
        hasLeft.current = why === 'loggedOut';
      });
      try {
        return await work(input);
      } finally {
        stop();
        // What is shown from now on may take the focus only from the press that asked for it.
        if (isHere.current) outcomeComes({ isAwaited: isAwaited.current() });
      }
    },
    onSuccess: (result, input) => (hasLeft.current ? undefined : onDone?.(result, input)),
    onError(failure, input) {
      if (hasLeft.current) return undefined;
      if (!isHere.current && afterLeaving) announce('error', afterLeaving(failure, input));
      return onFailed?.(failure, input);
    },
    onSettled: () => {
      underWay.current = false;
    },
  });
  const run = useCallback(
    (input: Input) => {
      if (underWay.current) return;
      underWay.current = true;
      hasLeft.current = false;
      isAwaited.current = askedNow();
      mutate(input);
    },
    [mutate],
  );
  return {
    run,
    pending: isPending,
    input: variables,
    result: data,
    error,
    press: submittedAt,
    forget: reset,
  };
}
