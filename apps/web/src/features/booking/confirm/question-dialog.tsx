import { type Locale, formatMoney, formatPrice, translate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import type { ReactNode } from 'react';
import {
  shownAgreement,
  currentAgreement,
  type AgreementTextKind,
} from '@clinic/contract/agreements';
import { centsOf } from '@clinic/domain';
import type { ClinicConfig } from '@clinic/contract';
import { t } from '../../../messages/t.ts';
import { TextOfRecord } from '../../../shared/text-of-record.tsx';
import styles from './question-dialog.module.css';

interface QuestionDialogProps {
  title: string;
  children: ReactNode;
  size?: 'small' | 'large';
  /** While the answer is under way the dialog stays. */
  busy: boolean;
  busyLabel?: string;
  yes: string;
  onYes: () => void;
  /** The second answer, where there is one. */
  no?: string;
  onNo?: () => void;
  /** Escape, or Back: no answer at all. */
  onClose: () => void;
}

/** A question of the sequence after Next: one answer that goes on, one that does not. */
export function QuestionDialog({
  title,
  children,
  size = 'small',
  busy,
  busyLabel = t('booking.working'),
  yes,
  onYes,
  no,
  onNo,
  onClose,
}: QuestionDialogProps) {
  return (
    <Dialog
      size={size}
      title={title}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button busy={busy} busyLabel={busyLabel} onClick={onYes}>
            {yes}
          </Button>
          {no !== undefined && (
            <Button variant="secondary" disabled={busy} onClick={onNo}>
              {no}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface AgreementTextProps {
  kind: AgreementTextKind;
  config: ClinicConfig | null;
  /** The fee of this appointment, where the text names it. */
  feeCents?: number;
}

/** A text that the patient agrees to, as its content file has it. */
export function AgreementText({ kind, config, feeCents }: AgreementTextProps) {
  const agreement = currentAgreement(kind);
  const valuesIn = (language: Locale) => ({
    clinicName: config?.clinicName ?? translate(language, 'booking.theClinic'),
    // As the text writes the amounts that stand in it.
    ...(config && { bookingFee: formatPrice(language, centsOf(config.bookingFee) ?? 0) }),
    ...(feeCents !== undefined && { fee: formatMoney(language, feeCents) }),
  });
  return (
    <div className={styles.text}>
      <TextOfRecord
        textIn={(language) =>
          shownAgreement(language, kind, valuesIn(language)).paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))
        }
      />
      <p className={styles.draft}>
        {agreement.draft && t('booking.draft')}{' '}
        {t('booking.version', { version: agreement.version })}
      </p>
    </div>
  );
}

interface FeeWarningDialogProps {
  cents: number;
  config: ClinicConfig | null;
  busy: boolean;
  onAccept: () => void;
  onCancel: () => void;
}

/** A fee of 140 or more is accepted first. */
export function FeeWarningDialog({
  cents,
  config,
  busy,
  onAccept,
  onCancel,
}: FeeWarningDialogProps) {
  return (
    <QuestionDialog
      size="large"
      title={t('booking.warning')}
      busy={busy}
      yes={t('pay.acceptFee')}
      onYes={onAccept}
      no={t('booking.cancel')}
      onNo={onCancel}
      onClose={onCancel}
    >
      <AgreementText kind="feeWarning" config={config} feeCents={cents} />
    </QuestionDialog>
  );
}
