import { ActionOutcome } from '@clinic/ui/action-outcome';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import type { ReactNode } from 'react';
import { fieldErrorsOf, messageOf } from './api-error.ts';
import type { Action } from './use-action.ts';

/** The words for a failed press: of its first wrong field, if there is one. */
export const whyNot = (error: Error): string =>
  fieldErrorsOf(error)[0]?.message ?? messageOf(error);

interface OutcomeProps<Result, Input> {
  readonly of: Pick<Action<Result, Input>, 'error' | 'isUnknown' | 'press' | 'done'>;
  readonly why?: (error: Error) => ReactNode;
  /** What is said once it is done. */
  readonly done?: ReactNode;
}

/** The outcome of the last press: that it is done, why not, or that this is not known. */
export function Outcome<Result, Input>({
  of: { error, isUnknown, press, done: isDone },
  why = whyNot,
  done,
}: OutcomeProps<Result, Input>) {
  const kind = isUnknown ? 'caution' : 'danger';
  return (
    <ActionOutcome press={press} kind={isDone ? 'good' : kind}>
      {error ? why(error) : isDone && done}
    </ActionOutcome>
  );
}

interface LoadStateProps {
  of: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
}

/** Something that is loading, or could not be loaded; nothing once it is there. */
export function LoadState({ of: { data, error, isPending, isFetching, refetch } }: LoadStateProps) {
  if (isPending) return <LoadingState />;
  if (data !== undefined) return null;
  return (
    <FailedState onRetry={() => void refetch()} busy={isFetching}>
      {error && messageOf(error)}
    </FailedState>
  );
}
