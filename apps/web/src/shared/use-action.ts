import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { onSessionEnd } from './session/session.ts';

interface Settled<Result, Input> {
  /** The action stays pending until a promise returned here has settled. */
  readonly onDone?: (result: Result, input: Input) => unknown;
  readonly onFailed?: (error: Error, input: Input) => unknown;
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
  { onDone, onFailed }: Settled<Result, Input> = {},
): Action<Result, Input> {
  // A second press can come before React has rendered `pending`.
  const underWay = useRef(false);
  // Set once the patient has logged out: then neither they nor the next patient hear of the outcome.
  const hasLeft = useRef(false);
  const { mutate, isPending, variables, data, error, submittedAt, reset } = useMutation({
    mutationFn: async (input: Input) => {
      const stop = onSessionEnd(({ why }) => {
        hasLeft.current = why === 'loggedOut';
      });
      try {
        return await work(input);
      } finally {
        stop();
      }
    },
    onSuccess: (result, input) => (hasLeft.current ? undefined : onDone?.(result, input)),
    onError: (failure, input) => (hasLeft.current ? undefined : onFailed?.(failure, input)),
    onSettled: () => {
      underWay.current = false;
    },
  });
  const run = useCallback(
    (input: Input) => {
      if (underWay.current) return;
      underWay.current = true;
      hasLeft.current = false;
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
