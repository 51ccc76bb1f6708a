import { LOOK_REASONS, type LookReason } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { SendForm } from './send-form.tsx';
import { t } from './words.ts';

/** Asks why staff open a patient who has no appointment around now. */
export function AskLookReason({ onReason }: { onReason: (reason: LookReason) => void }) {
  const [reason, setReason] = useState<LookReason | ''>('');
  return (
    <SendForm does={t('desk.open')} onSend={() => reason && onReason(reason)}>
      <SelectField
        label={t('desk.lookReason')}
        hint={t('desk.lookReasonAbout')}
        placeholder={t('desk.lookReasonChoose')}
        required
        options={LOOK_REASONS.map((each) => ({ value: each, label: t(`desk.look.${each}`) }))}
        value={reason}
        onChange={setReason}
      />
    </SendForm>
  );
}
