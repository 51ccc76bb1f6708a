import type { ReactNode } from 'react';
import styles from './choice.module.css';
import { FieldGroup, type FieldWords } from './field.tsx';

interface CheckboxGroupProps<Value extends string> extends Omit<FieldWords, 'optional'> {
  options: readonly { readonly value: Value; readonly label: ReactNode }[];
  values: readonly Value[];
  onToggle: (value: Value) => void;
  /** The first box's id, for error summaries. */
  id?: string;
}

/** Checkboxes under one legend; any number may be ticked. */
export function CheckboxGroup<Value extends string>({
  options,
  values,
  onToggle,
  ...words
}: CheckboxGroupProps<Value>) {
  return (
    <FieldGroup {...words}>
      {(wiring) => (
        <div className={styles.rows}>
          {options.map(({ value, label }, index) => (
            <label key={value} className={styles.option}>
              <input
                type="checkbox"
                className={styles.control}
                id={index === 0 ? wiring.id : undefined}
                aria-invalid={wiring['aria-invalid']}
                checked={values.includes(value)}
                onChange={() => onToggle(value)}
              />
              <span className={styles.words}>{label}</span>
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}
