import { plainText } from '@clinic/domain';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Field, type FieldWords, type LabelHidden } from './field.tsx';
import styles from './input.module.css';

export interface TextFieldProps
  extends
    FieldWords,
    LabelHidden,
    Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'className'> {
  value: string;
  onChange: (value: string) => void;
  /** The approximate width of the expected answer. */
  width?: 'full' | 'short';
}

/** A labelled line of text. */
export function TextField({
  label,
  hint,
  error,
  optional = false,
  hideLabel,
  id,
  value,
  onChange,
  width = 'full',
  maxLength,
  ...rest
}: TextFieldProps) {
  return (
    <Field
      {...{ label, hint, error, optional, hideLabel, id }}
      fits={{ text: value, most: maxLength }}
    >
      {(wiring) => (
        <input
          type="text"
          {...rest}
          {...wiring}
          value={value}
          className={classNames(styles.input, width === 'short' && styles.short)}
          // A wheel over a focused number would change it.
          onWheel={(event) => rest.type === 'number' && event.currentTarget.blur()}
          onChange={(event) => onChange(plainText(event.target.value))}
        />
      )}
    </Field>
  );
}

/** An email address, with the attributes that phones and password managers look for. */
export function EmailField(props: TextFieldProps) {
  return (
    <TextField
      type="email"
      name="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      inputMode="email"
      maxLength={254}
      {...props}
    />
  );
}
