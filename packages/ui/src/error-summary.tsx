import { useState } from 'react';
import styles from './error-summary.module.css';
import { focusByPress } from './focus.ts';
import { isLastPressAnAct } from './presses.ts';
import { useWords } from './words.tsx';

export interface FormError {
  /** The control to link to; absent for errors about the whole form. */
  readonly fieldId?: string;
  readonly message: string;
}

interface ErrorSummaryProps {
  /** Must be a new array for every failed attempt, so that the summary takes the focus again. */
  errors: readonly FormError[];
  /** For forms whose errors disappear one by one: must change with every failed attempt instead. */
  attempt?: number;
}

const takeFocus = (box: HTMLElement | null) => {
  if (isLastPressAnAct()) focusByPress(box);
};

/** Heads a form that failed: lists the errors, each with a link to its field. */
export function ErrorSummary({ errors, attempt }: ErrorSummaryProps) {
  const words = useWords();
  const failure = attempt ?? errors;
  const [shown, setShown] = useState({ failure, times: 0 });
  if (shown.failure !== failure) setShown({ failure, times: shown.times + 1 });

  if (errors.length === 0) return null;
  return (
    <div key={shown.times} ref={takeFocus} className={styles.summary} role="alert" tabIndex={-1}>
      <h2 className={styles.title}>{words.errorSummary}</h2>
      <ul className={styles.list}>
        {errors.map(({ fieldId, message }) => (
          <li key={`${fieldId}${message}`}>
            {fieldId === undefined ? message : <FieldLink fieldId={fieldId} message={message} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FieldLink({ fieldId, message }: { fieldId: string; message: string }) {
  return (
    <a
      href={`#${fieldId}`}
      onClick={(event) => {
        event.preventDefault();
        const field = document.getElementById(fieldId);
        focusByPress(field, { preventScroll: true });
        (field?.closest('fieldset') ?? field?.parentElement)?.scrollIntoView?.({ block: 'center' });
      }}
    >
      {message}
    </a>
  );
}
