import type { ReactNode } from 'react';
import styles from './choice.module.css';
import { FieldGroup } from './field.tsx';

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  id?: string;
  error?: string | null;
}

/** One checkbox with its label beside it. The surrounding group shows the error. */
export function Checkbox({ label, checked, onChange, id, error }: CheckboxProps) {
  return (
    <FieldGroup label={label} hideLegend error={error} id={id}>
      {(wiring) => (
        <label className={styles.check}>
          <input
            {...wiring}
            type="checkbox"
            className={styles.control}
            checked={checked}
            onChange={(event) => onChange(event.target.checked)}
          />
          <span>{label}</span>
        </label>
      )}
    </FieldGroup>
  );
}
