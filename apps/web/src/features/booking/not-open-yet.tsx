import type { ClinicConfig } from '@clinic/contract';
import { Mail, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import styles from './not-open-yet.module.css';

/** Says plainly that a type cannot be booked online yet, and how to reach the clinic. */
export function NotOpenYet({
  config,
  children,
}: {
  config: ClinicConfig | null;
  children: ReactNode;
}) {
  return (
    <Notice kind="caution" title={t('booking.notOpenTitle')} role="status">
      <p>{children}</p>
      <ClinicContact config={config} />
    </Notice>
  );
}

export function ClinicContact({ config }: { config: ClinicConfig | null }) {
  if (!config) return null;
  return (
    <ul className={styles.contact}>
      <li>
        <a href={`tel:${config.clinicPhone}`} className={styles.way}>
          <Phone size={18} aria-hidden="true" />
          {t('booking.call', { phone: config.clinicPhone })}
        </a>
      </li>
      <li>
        <a href={`mailto:${config.clinicEmail}`} className={styles.way}>
          <Mail size={18} aria-hidden="true" />
          {t('booking.write', { email: config.clinicEmail })}
        </a>
      </li>
    </ul>
  );
}
