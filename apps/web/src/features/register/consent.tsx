import { MINIMUM_AGE } from '@clinic/domain';
import { agreementParagraphs, currentAgreement } from '@clinic/contract/agreements';
import { t } from '../../messages/t.ts';
import { clinicToday } from '../../shared/api/clinic-today.ts';
import { useConfig } from '../../shared/api/config.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Group } from './group.tsx';
import styles from './register.module.css';
import { isMinor } from './sign-up-changes.ts';
import type { SignUpGroup } from './sign-up-fields.ts';

/** What whoever signs up agrees to; under 19 it is a representative. */
export function Consent({ typed, errors, change }: SignUpGroup) {
  const agreement = currentAgreement('signUp');
  const clinicName = useConfig()?.clinicName ?? '';
  const minor = isMinor(typed, clinicToday());
  return (
    <Group title={t('register.agree')}>
      <div className={styles.agreement}>
        {agreementParagraphs(agreement, { clinicName }).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {agreement.draft && (
          <p className={styles.draft}>{t('register.draft', { version: agreement.version })}</p>
        )}
      </div>
      {minor && (
        <Notice kind="caution" role="status">
          <p>{t('register.minor', { age: MINIMUM_AGE })}</p>
        </Notice>
      )}
      <Checkbox
        id={errors.idOf('consent')}
        label={t(minor ? 'register.consentMinor' : 'register.consent')}
        checked={typed.consent}
        error={errors.errorOf('consent')}
        onChange={(consent) => change({ ...typed, consent }, 'consent')}
      />
    </Group>
  );
}
