import { type ComponentProps, memo } from 'react';
import { Field, type FieldWords, type LabelHidden } from './field.tsx';
import styles from './input.module.css';

interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Set when the label is in another language than the page. */
  readonly lang?: string;
}

interface SelectFieldProps<Value extends string>
  extends
    FieldWords,
    LabelHidden,
    Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'className'> {
  options: readonly SelectOption<NoInfer<Value>>[];
  value: Value;
  onChange: (value: Value) => void;
  /** The entry for no choice, '' as a value; when absent, there is no such entry. */
  placeholder?: string;
}

/** A native select: one of a list. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  optional = false,
  hideLabel,
  id,
  options,
  value,
  onChange,
  placeholder,
  ...rest
}: SelectFieldProps<Value>) {
  return (
    <Field {...{ label, hint, error, optional, hideLabel, id }}>
      {(wiring) => (
        <select
          {...rest}
          {...wiring}
          value={value}
          className={styles.input}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

/** Memoised, so that typing elsewhere in the form does not render a long list again. */
const Options = memo(function Options({ options }: { options: readonly SelectOption<string>[] }) {
  return options.map((option) => (
    <option key={option.value} value={option.value} lang={option.lang}>
      {option.label}
    </option>
  ));
});
