import { isWholeDay } from '@clinic/domain';
import { TextField, type TextFieldProps } from '@clinic/ui/text-field';
import { useState } from 'react';
import { t } from './words.ts';

/** The error of a day field whose text is no date; null for a valid date. */
export const whyNoDay = (text: string): string | null =>
  isWholeDay(text) ? null : t('desk.dayWrong');

/** Chooses a day. An invalid text stays in the field, which shows the error once it loses the focus. */
export function DayField({ value, onChange, ...rest }: TextFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  return (
    <TextField
      type="date"
      {...rest}
      error={typed !== undefined && isLeft ? whyNoDay(typed) : null}
      value={typed ?? value}
      onChange={(next) => {
        setLeft(false);
        setTyped(isWholeDay(next) ? undefined : next);
        if (isWholeDay(next)) onChange(next);
      }}
      onBlur={() => setLeft(true)}
    />
  );
}
