import { clinicNow } from '@clinic/app/clock';
import { type ClinicDate, readTypedDay, toClinic } from '@clinic/domain';
import { formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { focusByPress } from '@clinic/ui/focus';
import { TextField, type TextFieldProps } from '@clinic/ui/text-field';
import { useId, useRef, useState } from 'react';
import { locale, t } from '../words.ts';
import styles from './booking.module.css';

interface TypedDayFieldProps extends Omit<TextFieldProps, 'value' | 'onChange'> {
  value: ClinicDate | null;
  /** Called with null where what is typed is no day, or could be either of two. */
  onChange: (day: ClinicDate | null) => void;
}

/** A day, typed as people say it. It is read on Enter or once the field is left, never while somebody types. */
export function TypedDayField({ value, onChange, ...rest }: TypedDayFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  /** What was read where that is not one day. */
  const [unsure, setUnsure] = useState<{ days: readonly ClinicDate[]; isAsked: boolean }>();

  function take(day: ClinicDate) {
    setTyped(undefined);
    setUnsure(undefined);
    onChange(day);
  }

  /** Returns whether it is one day. */
  function read(isAsked: boolean): boolean {
    if (typed === undefined) return value !== null;
    const days = readTypedDay(typed, toClinic(clinicNow()).date);
    const [day] = days;
    if (day !== undefined && days.length === 1) take(day);
    else {
      setUnsure({ days, isAsked });
      onChange(null);
    }
    return days.length === 1;
  }

  const either = unsure !== undefined && unsure.days.length > 1 ? unsure.days : [];
  return (
    <div className={styles.day}>
      <TextField
        {...rest}
        ref={field}
        autoComplete="off"
        error={unsure?.days.length === 0 ? t('desk.dayUnread') : null}
        value={typed ?? value ?? ''}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={({ currentTarget }) => currentTarget.select()}
        onChange={(next) => {
          setUnsure(undefined);
          setTyped(next);
        }}
        onKeyDown={(event) => {
          // A form waits until the day is known.
          if (event.key === 'Enter' && !read(true)) event.preventDefault();
        }}
        onBlur={() => read(false)}
      />
      <p role="status" className={styles.soft}>
        {typed === undefined && value !== null && formatFullDate(locale(), value)}
      </p>
      {either.length > 0 && (
        <div role="group" aria-labelledby={`${id}-which`} className={styles.stack}>
          <p id={`${id}-which`} role="alert">
            {t('desk.dayWhich', { typed: typed ?? '' })}
          </p>
          {either.map((day, at) => (
            <Button
              key={day}
              variant="secondary"
              ref={at === 0 && unsure?.isAsked ? focusByPress : undefined}
              onClick={() => {
                take(day);
                focusByPress(field.current);
              }}
            >
              {formatFullDate(locale(), day)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
