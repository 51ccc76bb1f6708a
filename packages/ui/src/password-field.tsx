import { useState } from 'react';
import { Field } from './field.tsx';
import styles from './input.module.css';
import type { TextFieldProps } from './text-field.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import { useWords } from './words.tsx';

/** A password field whose text can be shown, and pasted into. */
export function PasswordField({
  label,
  hint,
  error,
  id,
  value,
  onChange,
  optional = false,
  width: _width,
  maxLength,
  ...rest
}: TextFieldProps) {
  const words = useWords();
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ label, hint, error, optional, id }} fits={{ text: value, most: maxLength }}>
      {(wiring) => (
        <div className={styles.withButton}>
          <input
            autoComplete="current-password"
            {...rest}
            {...wiring}
            type={shown ? 'text' : 'password'}
            value={value}
            className={styles.input}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className={styles.toggle}
            aria-controls={wiring.id}
            onClick={() => setShown(!shown)}
          >
            {shown ? words.hide : words.show} <VisuallyHidden>{label}</VisuallyHidden>
          </button>
        </div>
      )}
    </Field>
  );
}
