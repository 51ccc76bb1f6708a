import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { onSessionEnd } from './session/session.ts';

interface Settled<Result, Input> {
  /** While what it returns is not over, neither is the action. */
  readonly onDone?: (result: Result, input: Input) => unknown;
  readonly onFailed?: (error: Error, input: Input) => unknown;
}

interface Action<Result, Input> {
  /** Does nothing while an earlier press is under way, even within one millisecond of it. */
  readonly run: (input: Input) => void;
  readonly pending: boolean;
  /** What the last press was about. */
  readonly input: Input | undefined;
  readonly result: Result | undefined;
  /** What came of the last press, for `ActionOutcome`; null again with the next one. */
  readonly error: Error | null;
  /** Another one for every press. */
  readonly press: number;
  /** As if nothing had been pressed. */
  readonly forget: () => void;
}

/** A press that asks the service for something. */
export function useAction<Result, Input = void>(
  work: (input: Input) => Promise<Result>,
  { onDone, onFailed }: Settled<Result, Input> = {},
): Action<Result, Input> {
  // The state that says 'pending' is drawn later than a second press can come.
  const underWay = useRef(false);
  // Who has logged out since is told nothing of it, nor is who comes next.
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
