import { ApiError, isUnknown } from '@clinic/app/api-error';
import { brokeOff } from '@clinic/contract/broke-off';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import {
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ruleText, whyNot } from './api.ts';
import { openPage, tellIfLeft } from './left-outcomes.tsx';
import { whileUnderWay } from './under-way.tsx';
import { t } from './words.ts';

export interface ActionSettings<Result, Input> extends Pick<
  UseMutationOptions<Result, Error, Input>,
  'mutationKey' | 'gcTime' | 'onSuccess' | 'onError'
> {
  /** Calls the service. Sent again, it must send the same, under the same key. */
  readonly work: (input: Input) => Promise<Result>;
  /** The queries that show what is so. They are asked anew however the call ends. */
  readonly shows?: readonly QueryKey[];
  /** What is said where the outcome is not known. */
  readonly unknown?: string;
  /** False where the input only looks at what would change. */
  readonly changes?: (input: Input) => boolean;
}

/** A press that changes something at the service. Where its outcome is not known the error says so. */
export function useDeskAction<Result, Input = void>({
  work,
  shows = [],
  unknown = t('desk.changeUnknown'),
  changes = () => true,
  ...rest
}: ActionSettings<Result, Input>): UseMutationResult<Result, Error, Input> {
  const queries = useQueryClient();
  // What an earlier sending may have done: who is turned away at the door does not hear of that.
  const open = useRef(new Set<string>());
  const lookAnew = () =>
    Promise.all(shows.map((queryKey) => queries.invalidateQueries({ queryKey })));
  return useMutation<Result, Error, Input>({
    ...rest,
    async mutationFn(input) {
      const page = openPage();
      const sent = JSON.stringify(input) ?? '';
      try {
        const result = await (changes(input) ? whileUnderWay(() => work(input)) : work(input));
        open.current.delete(sent);
        return result;
      } catch (error) {
        // A passkey that was not shown or a code that was not given says nothing of an earlier sending.
        if (!(error instanceof ApiError) || !changes(input)) throw error;
        // Told without waiting: a service that does not answer does not answer this either.
        void lookAnew();
        const isOpen = error.isUnknown || brokeOff(error.heard, open.current.has(sent));
        if (isOpen) open.current.add(sent);
        else open.current.delete(sent);
        const says = error.isUnknown ? unknown : `${unknown} ${error.message}`;
        const told = isOpen ? new ApiError(error.heard, says) : error;
        tellIfLeft(page, ruleText(told));
        throw told;
      }
    },
    onSettled: (_, error, input) => (error === null && changes(input) ? lookAnew() : undefined),
  });
}

interface FailedProps {
  readonly of: Pick<UseMutationResult, 'error' | 'submittedAt'>;
  readonly why?: (error: Error) => string | undefined;
}

/** Why the last press did not do it, or that this is not known. */
export function Failed({ of: { error, submittedAt }, why = whyNot }: FailedProps) {
  return (
    <ActionOutcome press={submittedAt} kind={isUnknown(error) ? 'caution' : 'danger'}>
      {error && why(error)}
    </ActionOutcome>
  );
}

interface Said {
  readonly says: string;
  readonly kind: 'good' | 'caution' | 'danger';
  /** Changes with each outcome. */
  readonly press: number;
  readonly at: number;
}

/** The outcome of an act whose form is gone; dropped when a later act fails. */
export function useSaid(first?: string) {
  const queries = useQueryClient();
  const [said, setSaid] = useState<Said | undefined>(
    first === undefined ? undefined : { says: first, kind: 'good', press: 1, at: 0 },
  );
  const presses = useRef(1);
  useEffect(
    () =>
      queries.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { submittedAt } = event.mutation.state;
        setSaid((before) => (before && before.at < submittedAt ? undefined : before));
      }),
    [queries],
  );
  const say = (says: string, kind: Said['kind'] = 'good') => {
    presses.current += 1;
    setSaid({ says, kind, press: presses.current, at: Date.now() });
  };
  const shown = said && (
    <ActionOutcome press={said.press} kind={said.kind}>
      {said.says}
    </ActionOutcome>
  );
  return [shown, say] as const;
}
