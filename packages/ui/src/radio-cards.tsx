import { useId, useRef, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './choice.module.css';
import { FieldGroup, type FieldWords } from './field.tsx';

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  /** One plain line beneath the name: a description, a note, or why the option is disabled. */
  readonly description?: ReactNode;
  readonly icon?: ReactNode;
  /** Shown at the far end, such as a fee. */
  readonly aside?: ReactNode;
  readonly disabled?: boolean;
}

interface RadioGroupProps<Value extends string> extends Omit<FieldWords, 'optional'> {
  options: readonly RadioOption<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  /** Called after `onChange` on a click or tap, also on the chosen option; not for moves with arrow keys. */
  onPress?: (value: Value) => void;
  /** The first radio's id, for error summaries. */
  id?: string;
  hideLegend?: boolean;
}

/** Large cards, for few options. */
export function RadioCards<Value extends string>(props: RadioGroupProps<Value>) {
  return <Radios {...props} look="cards" />;
}

/** Compact rows in one frame, for longer lists. */
export function RadioRows<Value extends string>(props: RadioGroupProps<Value>) {
  return <Radios {...props} look="rows" />;
}

function Radios<Value extends string>({
  label,
  hint,
  error,
  id,
  hideLegend = false,
  options,
  value,
  onChange,
  onPress,
  look,
}: RadioGroupProps<Value> & { look: 'cards' | 'rows' }) {
  const name = useId();
  const byKeys = useRef(false);
  const press = (pressed: Value) => {
    if (!byKeys.current) onPress?.(pressed);
  };
  return (
    <FieldGroup label={label} hint={hint} error={error} id={id} hideLegend={hideLegend}>
      {(wiring) => (
        <div className={styles[look]}>
          {options.map((option, index) => (
            <label
              key={option.value}
              className={classNames(styles.option, option.disabled && styles.disabled)}
              onPointerDown={() => (byKeys.current = false)}
            >
              <input
                type="radio"
                className={styles.control}
                name={name}
                id={index === 0 ? wiring.id : undefined}
                aria-describedby={describedBy(`${name}-${option.value}`, option)}
                aria-labelledby={`${name}-${option.value}-label`}
                value={option.value}
                checked={value === option.value}
                disabled={option.disabled}
                onKeyDown={() => (byKeys.current = true)}
                onClick={() => value === option.value && press(option.value)}
                onChange={() => {
                  onChange(option.value);
                  press(option.value);
                }}
              />
              {option.icon && (
                <span className={styles.icon} aria-hidden="true">
                  {option.icon}
                </span>
              )}
              <span className={styles.words}>
                <span className={styles.name} id={`${name}-${option.value}-label`}>
                  {option.label}
                </span>
                {option.description && (
                  <span className={styles.description} id={`${name}-${option.value}`}>
                    {option.description}
                  </span>
                )}
              </span>
              {option.aside && (
                <span className={styles.aside} id={`${name}-${option.value}-aside`}>
                  {option.aside}
                </span>
              )}
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** Ids of the texts beside the name, for aria-describedby. */
function describedBy(
  id: string,
  { description, aside }: Pick<RadioOption<string>, 'description' | 'aside'>,
) {
  const ids = [description && id, aside && `${id}-aside`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}
