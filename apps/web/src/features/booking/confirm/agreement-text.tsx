import { agreementParagraphs, currentAgreement } from '@clinic/contract/agreements';
import type { AgreementTextKind } from '@clinic/contract/agreements';
import { centsOf, formatLegalFee } from '@clinic/domain';
import type { ClinicConfig } from '@clinic/contract';
import { t } from '../../../messages/t.ts';
import styles from './agreement-text.module.css';

interface AgreementTextProps {
  kind: AgreementTextKind;
  config: ClinicConfig | null;
  /** The fee of this appointment, written out, where the text names it. */
  fee?: string;
}

/** A text that the patient agrees to, as its content file has it. */
export function AgreementText({ kind, config, fee }: AgreementTextProps) {
  const agreement = currentAgreement(kind);
  const paragraphs = agreementParagraphs(agreement, {
    clinicName: config?.clinicName ?? t('booking.theClinic'),
    // As the text writes the amounts that stand in it.
    ...(config && { bookingFee: formatLegalFee(centsOf(config.bookingFee) ?? 0) }),
    ...(fee !== undefined && { fee }),
  });
  return (
    <div className={styles.text}>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p className={styles.draft}>
        {agreement.draft && t('booking.draft')}{' '}
        {t('booking.version', { version: agreement.version })}
      </p>
    </div>
  );
}
