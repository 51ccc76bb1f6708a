import { LOOK_REASONS, type LookReason } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { SendForm } from './send-form.tsx';
import { t } from './words.ts';

interface AskLookReasonProps {
  label?: string;
  about?: string;
  onReason: (reason: LookReason) => void;
}

/** Asks why staff look at patients: by default at one who has no appointment around now. */
export function AskLookReason({
  label = t('desk.lookReason'),
  about = t('desk.lookReasonAbout'),
  onReason,
}: AskLookReasonProps) {
  const [reason, setReason] = useState<LookReason | ''>('');
  return (
    <SendForm does={t('desk.open')} onSend={() => reason && onReason(reason)}>
      <SelectField
        label={label}
        hint={about}
        placeholder={t('desk.lookReasonChoose')}
        required
        options={LOOK_REASONS.map((each) => ({ value: each, label: t(`desk.look.${each}`) }))}
        value={reason}
        onChange={setReason}
      />
    </SendForm>
  );
}
