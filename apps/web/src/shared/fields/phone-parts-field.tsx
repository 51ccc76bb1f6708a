import { asciiDigits, canadianPhone, splitPhone, type PhoneParts } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { FieldGroup } from '@clinic/ui/field';
import { focusByPress } from '@clinic/ui/focus';
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
 * Backspace in an empty part moves it back, and a whole number can be pasted into any part. What is no
 * Canadian number stays in its part as it was pasted or filled in, for the rules to refuse.
 */
export function PhonePartsField(props: PhonePartsFieldProps) {
  const { label, kind, value, onChange, id, error } = props;
  const inputs = useRef<(HTMLInputElement | null)[]>([]);

  const take = (index: number, typed: string): void => {
    const next = afterEntering(value, index, typed);
    if (next === null) return;
    onChange(next);
    const grew = next[index] !== typed || typed.length > (value[index]?.length ?? 0);
    // A country code before an area code is typed into the same part; no area code begins with 0 or 1.
    const isFull = next[index]?.length === LENGTHS[index] && (index > 0 || /^[2-9]/.test(typed));
    const isSpread = next.filter((part, at) => part !== value[at]).length > 1;
    if (grew && (isFull || isSpread)) focusByPress(inputs.current[isSpread ? 2 : index + 1]);
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
                onChange={({ target }) => take(index, asciiDigits(target.value))}
                onPaste={(event) => {
                  const pasted = event.clipboardData.getData('text');
                  if (canadianPhone(pasted) === null) return;
                  event.preventDefault();
                  take(index, pasted);
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && value[index] === '')
                    focusByPress(inputs.current[index - 1]);
                }}
              />
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** The parts once a text was entered into one of them; null for a key that no number has. */
function afterEntering(value: PhoneParts, index: number, typed: string): PhoneParts | null {
  const whole = canadianPhone(typed);
  if (whole !== null) return splitPhone(whole);
  const before = value[index] ?? '';
  const isKey = typed.length === before.length + 1;
  if (isKey && /^\d*$/.test(before) && !/^(\d+|\+)$/.test(typed)) return null;
  const digits = typed.replace(/[\s().-]/g, '');
  if (!/^\d*$/.test(digits) || digits.length <= (LENGTHS[index] ?? 0))
    return replaced(value, index, /^\d*$/.test(digits) ? digits : typed);
  // Exchange and line pasted together, beside an area code.
  if (index === 1 && digits.length === 7) return [value[0], digits.slice(0, 3), digits.slice(3)];
  return replaced(value, index, typed);
}

function replaced([area, exchange, line]: PhoneParts, index: number, part: string): PhoneParts {
  if (index === 0) return [part, exchange, line];
  return index === 1 ? [area, part, line] : [area, exchange, part];
}
