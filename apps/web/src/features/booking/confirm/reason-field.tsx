import { reasonRule, whyReasonRefused } from '@clinic/domain';
import type { AppointmentTypeCode } from '@clinic/domain';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { t } from '../../../messages/t.ts';

interface ReasonFieldProps {
  id: string;
  type: AppointmentTypeCode;
  value: string;
  error: string | null;
  onChange: (reason: string) => void;
}

/** The one question of step 3; its label, placeholder and minimum depend on the type. */
export function ReasonField({ id, type, value, error, onChange }: ReasonFieldProps) {
  const { label, maximum } = reasonRule(type);
  const field = {
    id,
    label: t(`booking.reason.${label}.label`),
    hint: t(`booking.reason.${label}.hint`),
    placeholder: t(`booking.reason.${label}.placeholder`),
    autoComplete: 'off',
    value,
    error,
    onChange,
  };
  // A number of a claim or a licence is one line.
  if (label !== 'reason') return <TextField {...field} spellCheck={false} />;
  return <TextArea {...field} rows={2} maxCharacters={maximum} />;
}

/** What is wrong with a reason, in the specification's words, or null. */
export function reasonProblem(type: AppointmentTypeCode, reason: string): string | null {
  const { label: key, minimum, maximum } = reasonRule(type);
  const label = t(`booking.reason.${key}.name`);
  switch (whyReasonRefused(type, reason)) {
    case 'empty':
      return t('booking.reasonEmpty', { label });
    case 'tooShort':
      return t('booking.reasonTooShort', { label, n: minimum });
    case 'tooLong':
      return t('booking.reasonTooLong', { label, n: maximum });
    case null:
      return null;
  }
}
