import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import styles from './changed-elsewhere.module.css';
import { focusByPress } from './focus.ts';
import { Notice } from './notice.tsx';
import { useWords } from './words.tsx';

/** What is typed, and what it was typed over. */
export interface KeptForm<Form> {
  readonly base: Form;
  readonly typed: Form;
}

/** Of one field that both have changed: what is to be saved. */
type Choice = 'mine' | 'saved';

const isSame = <Form extends object>(one: Form, other: Form, name: keyof Form) =>
  JSON.stringify(one[name]) === JSON.stringify(other[name]);

/**
 * A form over data that may have changed since, in another tab or on another device: what was typed stays,
 * every other field shows the data as they are now. `typed` are the fields to be saved. `conflicts` are
 * fields that both have changed: the form is saved once its writer has chosen for each of them (`choose`).
 */
export function overNow<Form extends object>({ base, typed }: KeptForm<Form>, now: Form) {
  const names = Object.keys(now) as (keyof Form & string)[];
  const changed = names.filter((name) => !isSame(now, base, name) && !isSame(now, typed, name));
  const follows = changed.filter((name) => isSame(typed, base, name));
  const draft: Form = {
    ...typed,
    ...Object.fromEntries(follows.map((name) => [name, now[name]])),
  };
  const unsaved = names.filter((name) => !isSame(draft, now, name));
  return {
    draft,
    changed,
    typed: unsaved,
    conflicts: changed.filter((name) => unsaved.includes(name)),
  };
}

/** The form once something was typed: over the values that it shows. */
export function type<Form extends object>(
  { base, typed }: KeptForm<Form>,
  now: Form,
  part: Partial<Form>,
): KeptForm<Form> {
  const next = { ...typed, ...part };
  const isOver = (name: keyof Form) => isSame(typed, base, name) || isSame(next, base, name);
  const names = (Object.keys(part) as (keyof Form)[]).filter(isOver);
  return {
    base: { ...base, ...Object.fromEntries(names.map((name) => [name, now[name]])) },
    typed: next,
  };
}

/** The form once its writer has chosen what to save of a field. */
export function choose<Form extends object>(
  { base, typed }: KeptForm<Form>,
  now: Form,
  name: keyof Form,
  choice: Choice,
): KeptForm<Form> {
  const saved = { [name]: now[name] };
  return {
    base: { ...base, ...saved },
    typed: choice === 'mine' ? typed : { ...typed, ...saved },
  };
}

/** What a form says of itself when it is saved (`formHeaders` of the contract). */
export const formHeaders = (version: string | undefined, changed: readonly string[]) => ({
  'x-changed': changed.join(','),
  ...(version !== undefined && { 'x-form-version': version }),
});

const FIELD = 'input, select, textarea, button[type="submit"]';

interface ChangedElsewhereProps<Name extends string> {
  /** What happened. */
  children: ReactNode;
  /** The fields that both have changed, with the value that is saved by now. */
  conflicts: readonly { readonly name: Name; readonly label: string; readonly saved: ReactNode }[];
  onChoose: (name: Name, choice: Choice) => void;
  /** The id of a field, which takes the focus once it was chosen for. */
  idOf?: (name: Name) => string;
}

/** Says that data of an open form were changed elsewhere, and asks what to save of each field that both changed. */
export function ChangedElsewhere<Name extends string>({
  children,
  conflicts,
  onChoose,
  idOf,
}: ChangedElsewhereProps<Name>) {
  const words = useWords();
  const id = useId();
  const press = (name: Name, choice: Choice, form: Element | null) => {
    // Before the pressed button goes.
    const field = (idOf && document.getElementById(idOf(name))) ?? form?.querySelector(FIELD);
    if (field instanceof HTMLElement) focusByPress(field);
    onChoose(name, choice);
  };
  return (
    <Notice kind={conflicts.length > 0 ? 'caution' : 'info'} role="status">
      <p>{children}</p>
      {conflicts.length > 0 && (
        <>
          <p>{words.chooseOne}</p>
          <dl className={styles.fields}>
            {conflicts.map(({ name, label, saved }) => (
              <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
                <dt id={`${id}-${name}`}>{words.savedNow(label)}</dt>
                <dd>
                  <span translate="no" data-private="">
                    {saved}
                  </span>
                  <div className={styles.ways}>
                    {(['saved', 'mine'] as const).map((choice) => (
                      <Button
                        key={choice}
                        variant="secondary"
                        aria-describedby={`${id}-${name}`}
                        onClick={({ currentTarget }) =>
                          press(name, choice, currentTarget.closest('form, dialog'))
                        }
                      >
                        {choice === 'mine' ? words.keepMine : words.takeSaved}
                      </Button>
                    ))}
                  </div>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Notice>
  );
}
