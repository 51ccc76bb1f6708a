import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { accessToken } from '../api/access-token.ts';

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
  const pressedBy = useRef<string | null>(null);
  // What comes of a patient's press concerns nobody once the patient has left.
  const hasLeft = () => pressedBy.current !== null && accessToken.get() === null;
  const { mutate, isPending, variables, data, error, submittedAt, reset } = useMutation({
    mutationFn: work,
    onSuccess: (result, input) => (hasLeft() ? undefined : onDone?.(result, input)),
    onError: (failure, input) => (hasLeft() ? undefined : onFailed?.(failure, input)),
    onSettled: () => {
      underWay.current = false;
    },
  });
  const run = useCallback(
    (input: Input) => {
      if (underWay.current) return;
      underWay.current = true;
      pressedBy.current = accessToken.get();
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
