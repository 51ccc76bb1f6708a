import { type ComponentProps, memo } from 'react';
import { Field, type FieldWords } from './field.tsx';
import styles from './input.module.css';

interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Where the label is in another language than the page. */
  readonly lang?: string;
}

interface SelectFieldProps
  extends FieldWords, Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'className'> {
  options: readonly SelectOption[];
  value: string;
  onChange: (value: string) => void;
  /** What stands there before anything is chosen; absent: there is no such entry. */
  placeholder?: string;
}

/** One of a list, by the device's own means. */
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

/** A long list stays as it is while something else in its form is typed. */
const Options = memo(function Options({ options }: Pick<SelectFieldProps, 'options'>) {
  return options.map((option) => (
    <option key={option.value} value={option.value} lang={option.lang}>
      {option.label}
    </option>
  ));
});
