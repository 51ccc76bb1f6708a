import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { Field } from './field.tsx';
import styles from './input.module.css';
import type { TextFieldProps } from './text-field.tsx';

/** A password that can be looked at and pasted. */
export function PasswordField({
  label,
  hint,
  error,
  id,
  value,
  onChange,
  optional = false,
  width: _width,
  ...rest
}: TextFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
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
            aria-label={t(shown ? 'ui.hidePassword' : 'ui.showPassword')}
            onClick={() => setShown(!shown)}
          >
            {t(shown ? 'ui.hide' : 'ui.show')}
          </button>
        </div>
      )}
    </Field>
  );
}
