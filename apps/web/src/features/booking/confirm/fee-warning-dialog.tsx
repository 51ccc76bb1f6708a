import { formatFee } from '@clinic/domain';
import type { ClinicConfig } from '@clinic/contract';
import { t } from '../../../messages/t.ts';
import { AgreementText } from './agreement-text.tsx';
import { QuestionDialog } from './question-dialog.tsx';

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
      <AgreementText kind="feeWarning" config={config} fee={formatFee(cents)} />
    </QuestionDialog>
  );
}
