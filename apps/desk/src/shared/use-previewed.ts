import { useComeIn } from '@clinic/ui/come-in';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken } from './api.ts';
import { useDeskAction } from './desk-action.tsx';

interface Settings<Input, Answer> {
  /** Asks the service: without the answer to a look it only looks, with it it saves. */
  readonly send: (input: Input, by?: Answer) => Promise<Answer>;
  readonly isSaved: (answer: Answer) => boolean;
  /** The queries that show what is saved. */
  readonly shows: readonly QueryKey[];
  readonly unknown?: string;
  /** Called once what is saved was read anew. */
  readonly onSaved?: (answer: Answer) => void;
  /** Called once what a colleague has saved meanwhile is shown. */
  readonly onOvertaken?: () => void;
}

interface Press<Input, Answer> {
  readonly input: Input;
  /** The answer to the look by which it is saved. */
  readonly by?: Answer;
}

/**
 * A form that shows what it would change before it is saved. The preview stays until the form changes, while it is
 * being saved, and where that fails. Where a colleague was first, what they saved is read, and what is typed stays.
 */
export function usePreviewed<Answer, Input = void>({
  send,
  isSaved,
  shows,
  onSaved,
  onOvertaken,
  ...rest
}: Settings<Input, Answer>) {
  const queries = useQueryClient();
  const [preview, setPreview] = useState<{ readonly input: Input; readonly answer: Answer }>();
  const [looks, setLooks] = useState(0);
  const comeIn = useComeIn(looks);
  const readAnew = () =>
    Promise.all(shows.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const action = useDeskAction({
    ...rest,
    work: ({ input, by }: Press<Input, Answer>) => send(input, by),
    changes: ({ by }) => by !== undefined,
    shows,
    async onSuccess(answer) {
      if (!isSaved(answer)) return;
      await readAnew();
      onSaved?.(answer);
    },
    async onError(error) {
      if (!isOvertaken(error)) return;
      await readAnew();
      onOvertaken?.();
    },
    gcTime: 0,
  });
  const { data, isPending, variables } = action;
  const isSaving = isPending && variables.by !== undefined;
  const press = (sent: Press<Input, Answer>) =>
    action.mutate(sent, {
      onSuccess: (answer) =>
        setPreview(isSaved(answer) ? undefined : { input: sent.input, answer }),
    });
  return {
    action,
    /** What it would change. */
    preview,
    /** The answer that says that it is saved. */
    saved: data !== undefined && isSaved(data) ? data : undefined,
    isLooking: isPending && !isSaving,
    isSaving,
    /** What the last press was about. */
    asked: variables?.input,
    /** How often it was looked at. */
    looks,
    /** For the heading of the preview, which takes the focus. */
    comeIn,
    look: (input: Input) => {
      if (isPending) return;
      setPreview(undefined);
      setLooks(looks + 1);
      press({ input });
    },
    save: () => {
      if (!isPending && preview) press({ input: preview.input, by: preview.answer });
    },
    /** As the form has changed, a look says no more what it would change. */
    drop: () => {
      if (isSaving) return;
      setPreview(undefined);
      action.reset();
    },
  };
}
