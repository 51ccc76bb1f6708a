import { plainText } from '@clinic/domain';
import { useId, type ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Field, type FieldWords } from './field.tsx';
import styles from './input.module.css';
import { useWords } from './words.tsx';

interface TextAreaProps
  extends FieldWords, Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'className'> {
  value: string;
  onChange: (value: string) => void;
  /** Counted in code points. More can be typed; the counter then says by how much it is too long. */
  maxCharacters?: number;
}

export function TextArea({
  label,
  hint,
  error,
  optional = false,
  id,
  value,
  onChange,
  maxCharacters,
  maxLength,
  ...rest
}: TextAreaProps) {
  const counterId = useId();
  const left = maxCharacters === undefined ? null : maxCharacters - Array.from(value.trim()).length;
  return (
    <Field
      {...{ label, hint, error, optional, id }}
      {...(left === null
        ? { fits: { text: value, most: maxLength } }
        : { footer: { id: counterId, content: <Counter left={left} /> } })}
    >
      {(wiring) => (
        <textarea
          rows={3}
          {...rest}
          {...wiring}
          value={value}
          className={classNames(styles.input, styles.area)}
          onChange={(event) => onChange(plainText(event.target.value))}
        />
      )}
    </Field>
  );
}

function Counter({ left }: { left: number }) {
  const words = useWords();
  if (left < 0) return <span className={styles.over}>{words.charactersOver(-left)}</span>;
  return <span>{words.charactersLeft(left)}</span>;
}
