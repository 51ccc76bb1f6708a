import { digitsOf, splitPhone, type PhoneParts } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { FieldGroup } from '@clinic/ui/field';
import input from '@clinic/ui/input.module.css';
import styles from '@clinic/ui/parts.module.css';
import { useRef } from 'react';
import { t } from '../../messages/t.ts';
import './identity-words.ts';

const LENGTHS = [3, 3, 4] as const;
const PARTS = ['area', 'exchange', 'line'] as const;
const AUTOCOMPLETE = ['tel-area-code', 'tel-local-prefix', 'tel-local-suffix'] as const;

interface PhonePartsFieldProps {
  label: string;
  /** Which autocomplete number the browser offers. */
  kind: 'mobile' | 'home';
  value: PhoneParts;
  onChange: (value: PhoneParts) => void;
  id: string;
  error: string | null;
}

/**
 * A Canadian number in parts of 3, 3 and 4 digits. A full part moves the focus to the next,
 * Backspace in an empty part moves it back, and a whole number can be pasted into any part.
 */
export function PhonePartsField(props: PhonePartsFieldProps) {
  const { label, kind, value, onChange, id, error } = props;
  const inputs = useRef<(HTMLInputElement | null)[]>([]);

  const takeWhole = (typed: string): boolean => {
    const whole = wholeNumber(digitsOf(typed));
    if (whole === null) return false;
    onChange(splitPhone(whole));
    inputs.current[2]?.focus();
    return true;
  };
  const change = (index: number, typed: string) => {
    if (takeWhole(typed)) return;
    const digits = digitsOf(typed);
    const length = LENGTHS[index] ?? 0;
    onChange(replaced(value, index, digits.slice(0, length)));
    const grew = digits.length > (value[index]?.length ?? 0);
    if (grew && digits.length >= length) inputs.current[index + 1]?.focus();
  };

  return (
    <FieldGroup label={label} error={error} id={id}>
      {({ id: first, ...wiring }) => (
        <div className={styles.parts}>
          {PARTS.map((part, index) => (
            <label
              key={part}
              className={classNames(styles.part, index < 2 ? styles.short : styles.middle)}
            >
              <span>{t(`identity.phone.${part}`)}</span>
              <input
                {...wiring}
                ref={(element) => {
                  inputs.current[index] = element;
                }}
                id={index === 0 ? first : undefined}
                className={input.input}
                type="tel"
                inputMode="numeric"
                autoComplete={`${kind} ${AUTOCOMPLETE[index]}`}
                value={value[index]}
                onChange={({ target }) => change(index, target.value)}
                onPaste={(event) => {
                  if (takeWhole(event.clipboardData.getData('text'))) event.preventDefault();
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && value[index] === '')
                    inputs.current[index - 1]?.focus();
                }}
              />
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** The ten digits, with or without the 1 of North America before them; null for anything else. */
function wholeNumber(digits: string): string | null {
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  return national.length === 10 ? national : null;
}

function replaced([area, exchange, line]: PhoneParts, index: number, part: string): PhoneParts {
  if (index === 0) return [part, exchange, line];
  return index === 1 ? [area, part, line] : [area, exchange, part];
}
