import { messageOf } from '@clinic/app/api-error';
import { actionsOf } from '@clinic/app/use-action';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { openPage, tellIfLeft } from './left-outcomes.tsx';
import { whileUnderWay } from './under-way.tsx';
import { UNDOING } from './undo.ts';
import { t } from './words.ts';

export { Outcome } from '@clinic/app/outcome';

/** A press that calls the service. A change keeps its page, and is told on another one if that was left. */
export const useAction = actionsOf({
  follow() {
    const page = openPage();
    return { tell: (says) => tellIfLeft(page, says) };
  },
  whileUnderWay,
  newKey: () => crypto.randomUUID(),
  unknown: () => t('desk.changeUnknown'),
  afterLeaving: (error) => messageOf(error),
});

interface Said {
  readonly says: string;
  readonly kind: 'good' | 'caution' | 'danger';
  /** Changes with each outcome. */
  readonly press: number;
  readonly at: number;
}

/** The outcome of an act whose form is gone; dropped when a later act fails or undoes it. */
export function useSaid(first?: string) {
  const queries = useQueryClient();
  const [said, setSaid] = useState<Said | undefined>(
    first === undefined ? undefined : { says: first, kind: 'good', press: 1, at: 0 },
  );
  const presses = useRef(1);
  // The acts of other forms are heard only through the cache.
  useEffect(
    () =>
      queries.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { type } = event.action;
        const isUndone = event.mutation.options.mutationKey === UNDOING && type === 'success';
        if (type !== 'error' && !isUndone) return;
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
