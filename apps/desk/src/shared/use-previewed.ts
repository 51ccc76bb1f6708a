import { useComeIn } from '@clinic/ui/come-in';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken } from './api.ts';
import { useAction } from './desk-action.tsx';

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
  const action = useAction({
    ...rest,
    work: ({ input, by }: Press<Input, Answer>) => send(input, by),
    changes: ({ by }) => by !== undefined,
    shows,
    async onDone(answer, { input }) {
      if (!isSaved(answer)) return setPreview({ input, answer });
      await readAnew();
      onSaved?.(answer);
      setPreview(undefined);
    },
    async onFailed(error) {
      if (!isOvertaken(error)) return;
      await readAnew();
      onOvertaken?.();
    },
    gcTime: 0,
  });
  const { result, pending, input: sent } = action;
  const isSaving = pending && sent?.by !== undefined;
  return {
    action,
    /** What it would change. */
    preview,
    /** The answer that says that it is saved. */
    saved: result !== undefined && isSaved(result) ? result : undefined,
    isLooking: pending && !isSaving,
    isSaving,
    /** What the last press was about. */
    asked: sent?.input,
    /** How often it was looked at. */
    looks,
    /** For the heading of the preview, which takes the focus. */
    comeIn,
    look: (input: Input) => {
      if (pending) return;
      setPreview(undefined);
      setLooks(looks + 1);
      action.run({ input });
    },
    save: () => {
      if (preview) action.run({ input: preview.input, by: preview.answer });
    },
    /** As the form has changed, a look says no more what it would change. */
    drop: () => {
      if (isSaving) return;
      setPreview(undefined);
      action.forget();
    },
  };
}
