import { digitsOf, type DateParts } from '@clinic/domain';
import { classNames } from './class-names.ts';
import { FieldGroup, type FieldWords } from './field.tsx';
import input from './input.module.css';
import styles from './parts.module.css';
import { useWords } from './words.tsx';

interface DateFieldProps extends FieldWords {
  /** The id of the first control, for error summaries. */
  id?: string;
  /** 0 stands for a missing part. */
  value: DateParts;
  onChange: (value: DateParts) => void;
  /** When given, the year is chosen from this list. */
  years?: readonly number[];
  /** Which date the browser may fill in. */
  autoComplete?: 'bday';
}

/**
 * A date that the user knows by heart, in three controls in the order of the language. Nobody has to page
 * through decades of a calendar, or can mistake the day for the month.
 */
export function DateField({ value, onChange, years, autoComplete, ...field }: DateFieldProps) {
  const words = useWords();
  const lists = {
    day: undefined,
    month: words.monthNames().map((name, index) => ({ number: index + 1, name })),
    year: years?.map((year) => ({ number: year, name: String(year) })),
  };
  return (
    <FieldGroup {...field}>
      {({ id: first, ...wiring }) => (
        <div className={styles.parts}>
          {words.dateOrder().map((part, index) => {
            const control = {
              ...wiring,
              id: index === 0 ? first : `${first}-${part}`,
              className: input.input,
              autoComplete: autoComplete === undefined ? 'off' : `${autoComplete}-${part}`,
            };
            const list = lists[part];
            const given = value[part] === 0 ? '' : value[part];
            const take = (typed: string) =>
              onChange(wholeDate(typed) ?? { ...value, [part]: Number(digitsOf(typed)) });
            return (
              <div key={part} className={classNames(styles.part, styles[part])}>
                <label htmlFor={control.id}>{words[part]}</label>
                {list === undefined ? (
                  <input
                    {...control}
                    inputMode="numeric"
                    value={given}
                    onChange={({ target }) => take(target.value)}
                  />
                ) : (
                  <select {...control} value={given} onChange={({ target }) => take(target.value)}>
                    <option value="">–</option>
                    {list.map(({ number, name }) => (
                      <option key={number} value={number}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
              </div>
            );
          })}
        </div>
      )}
    </FieldGroup>
  );
}

/** The date of a text that has one reading, such as one that was pasted: year, month and day. */
function wholeDate(text: string): DateParts | null {
  const [, year, month, day] = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\s*$/.exec(text) ?? [];
  return year === undefined ? null : { year: Number(year), month: Number(month), day: Number(day) };
}
