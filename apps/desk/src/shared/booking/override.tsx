import { OVERRIDE_REASONS, type OverrideReason } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { t } from '../words.ts';
import styles from './booking.module.css';
import type { TimeChooserProps } from './time-chooser-props.ts';

interface OverrideProps extends Pick<TimeChooserProps, 'purpose'> {
  /** The service's refusal. */
  why: string;
  /** The time that was refused. */
  what: string;
  press: number;
  proposed: OverrideReason | undefined;
  onReason: (reason: OverrideReason) => void;
}

/** Offers to override a refusing rule, for which staff must give a reason. */
export function Override({ why, what, press, purpose, proposed, onReason }: OverrideProps) {
  const [reason, setReason] = useState<OverrideReason | ''>(proposed ?? '');
  return (
    <form
      className={styles.override}
      data-acts-on={what}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason) onReason(reason);
      }}
    >
      <ActionOutcome press={press} kind="caution" title={why}>
        {t('desk.overrideAbout', { what })}
      </ActionOutcome>
      <SelectField
        label={t('desk.overrideReason')}
        placeholder={t('desk.overrideChoose')}
        required
        options={OVERRIDE_REASONS.map((each) => ({
          value: each,
          label: t(`desk.override.${each}`),
        }))}
        value={reason}
        onChange={setReason}
      />
      <div>
        <Button type="submit">
          {t(purpose === 'book' ? 'desk.overrideBook' : 'desk.overrideMove')}
        </Button>
      </div>
    </form>
  );
}
