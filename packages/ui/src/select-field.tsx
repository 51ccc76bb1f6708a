import { type ComponentProps, memo } from 'react';
import { Field, type FieldWords } from './field.tsx';
import styles from './input.module.css';

interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Set when the label is in another language than the page. */
  readonly lang?: string;
}

interface SelectFieldProps
  extends FieldWords, Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'className'> {
  options: readonly SelectOption[];
  value: string;
  onChange: (value: string) => void;
  /** The entry for no choice; when absent, there is no such entry. */
  placeholder?: string;
}

/** A native select: one of a list. */
export function SelectField({
  label,
  hint,
  error,
  optional = false,
  id,
  options,
  value,
  onChange,
  placeholder,
  ...rest
}: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(wiring) => (
        <select
          {...rest}
          {...wiring}
          value={value}
          className={styles.input}
          onChange={(event) => onChange(event.target.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

/** Memoised, so that typing elsewhere in the form does not render a long list again. */
const Options = memo(function Options({ options }: Pick<SelectFieldProps, 'options'>) {
  return options.map((option) => (
    <option key={option.value} value={option.value} lang={option.lang}>
      {option.label}
    </option>
  ));
});
