import { useId } from 'react';
import { t } from '../../messages/t.ts';
import { FieldGroup } from '../../shared/ui/field.tsx';
import input from '../../shared/ui/input.module.css';
import type { CrashAnswers } from './crash-answers.ts';
import styles from './crash-fields.module.css';

type DatePart = 'crashYear' | 'crashMonth' | 'crashDay';

const PARTS: readonly { readonly part: DatePart; readonly digits: number }[] = [
  { part: 'crashYear', digits: 4 },
  { part: 'crashMonth', digits: 2 },
  { part: 'crashDay', digits: 2 },
];

interface CrashDateFieldProps {
  id: string;
  crash: CrashAnswers;
  error: string | null;
  onChange: (part: Partial<Pick<CrashAnswers, DatePart>>) => void;
}

/** The date of the crash as year, month and day: digits only, and never an instant. */
export function CrashDateField({ id, crash, error, onChange }: CrashDateFieldProps) {
  const name = useId();
  return (
    <FieldGroup
      id={id}
      label={t('booking.crash.date')}
      hint={t('booking.crash.dateHint')}
      error={error}
    >
      {(wiring) => (
        <div className={styles.date}>
          {PARTS.map(({ part, digits }, index) => {
            const partId = index === 0 ? wiring.id : `${name}-${part}`;
            return (
              <div key={part} className={styles.part}>
                <label htmlFor={partId}>{t(`booking.crash.${part}`)}</label>
                <input
                  id={partId}
                  className={input.input}
                  type="text"
                  inputMode="numeric"
                  autoComplete="off"
                  size={digits}
                  aria-invalid={wiring['aria-invalid']}
                  value={crash[part] ?? ''}
                  onChange={({ target }) =>
                    onChange({ [part]: numberOf(target.value.slice(0, digits)) })
                  }
                />
              </div>
            );
          })}
        </div>
      )}
    </FieldGroup>
  );
}

function numberOf(typed: string): number | null {
  const digits = typed.replace(/\D/g, '');
  return digits === '' ? null : Number(digits);
}
