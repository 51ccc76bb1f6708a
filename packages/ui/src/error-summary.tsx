import { useState } from 'react';
import styles from './error-summary.module.css';
import { useWords } from './words.tsx';

export interface FormError {
  /** The control to go to; absent for what concerns the whole form. */
  readonly fieldId?: string;
  readonly message: string;
}

interface ErrorSummaryProps {
  /** A new array for every failed attempt: the summary then takes the focus again. */
  errors: readonly FormError[];
  /** Given where errors go one by one as they are mended: changes with every failed attempt. */
  attempt?: number;
}

const focusOn = (box: HTMLElement | null) => box?.focus();

/** At the top of a form that failed: what is wrong, with a way to each field. */
export function ErrorSummary({ errors, attempt }: ErrorSummaryProps) {
  const words = useWords();
  const failure = attempt ?? errors;
  const [shown, setShown] = useState({ failure, times: 0 });
  if (shown.failure !== failure) setShown({ failure, times: shown.times + 1 });

  if (errors.length === 0) return null;
  return (
    <div key={shown.times} ref={focusOn} className={styles.summary} role="alert" tabIndex={-1}>
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
        field?.focus({ preventScroll: true });
        (field?.closest('fieldset') ?? field?.parentElement)?.scrollIntoView?.({ block: 'center' });
      }}
    >
      {message}
    </a>
  );
}
