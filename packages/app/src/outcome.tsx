import { ActionOutcome } from '@clinic/ui/action-outcome';
import type { ReactNode } from 'react';
import { fieldErrorsOf, messageOf } from './api-error.ts';
import type { Action } from './use-action.ts';

/** The words for a failed press: of its first wrong field, if there is one. */
export const whyNot = (error: Error): string =>
  fieldErrorsOf(error)[0]?.message ?? messageOf(error, error.message);

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
