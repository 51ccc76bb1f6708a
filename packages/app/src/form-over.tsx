import {
  ChangedElsewhere,
  type KeptForm,
  choose,
  formHeaders,
  overNow,
  type,
} from '@clinic/ui/changed-elsewhere';
import { useWords } from '@clinic/ui/words';
import type { ReactNode } from 'react';
import { UserFacingError } from './api-error.ts';

interface Elsewhere<Name extends string> {
  /** What happened. */
  readonly says: string;
  /** A field that both have changed: its label, and what is saved by now. */
  readonly shown: (name: Name) => { readonly label: string; readonly saved: ReactNode };
  readonly idOf?: (name: Name) => string;
  readonly onChoose?: (choice: 'mine' | 'saved') => void;
}

/**
 * A form over what is stored by now: what somebody saves elsewhere meanwhile is shown, and what both have changed is
 * asked about. `kept` holds what is typed, null for nothing.
 */
export function useFormOver<Form extends object>(
  now: Form,
  version: string | undefined,
  [kept, keep]: readonly [KeptForm<Form> | null, (next: KeptForm<Form> | null) => void],
) {
  const { chooseFirst } = useWords();
  const form = kept ?? { base: now, typed: now };
  const over = overNow(form, now);
  const { draft, changed, conflicts } = over;
  const change = (part: Partial<Form>) => keep(type(form, now, part));
  return {
    ...over,
    change,
    /** For `useForm`. */
    state: [
      draft,
      (update: (shown: Form) => Form) => {
        const next = update(draft);
        const names = (Object.keys(next) as (keyof Form)[]).filter(
          (name) => next[name] !== draft[name],
        );
        change(Object.fromEntries(names.map((name) => [name, next[name]])) as Partial<Form>);
      },
    ] as const,
    /** As nothing is typed, it shows what is stored. */
    startAnew: () => keep(null),
    /** Why it cannot be saved yet: the fields to choose for. */
    toChoose: conflicts.map((field) => ({ field, message: chooseFirst })),
    /** What the call is sent with. Throws while there is something to choose. */
    headers: (names: readonly string[] = over.typed) => {
      if (conflicts.length > 0) throw new UserFacingError(chooseFirst);
      return formHeaders(version, names);
    },
    /** What was changed elsewhere, and the choice. */
    elsewhere: ({ says, shown, idOf, onChoose }: Elsewhere<keyof Form & string>) =>
      changed.length > 0 && (
        <ChangedElsewhere
          conflicts={conflicts.map((name) => ({ name, ...shown(name) }))}
          {...(idOf && { idOf })}
          onChoose={(name, choice) => {
            keep(choose(form, now, name, choice));
            onChoose?.(choice);
          }}
        >
          {says}
        </ChangedElsewhere>
      ),
  };
}
