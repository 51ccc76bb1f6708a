import type { ClinicConfig } from '@clinic/contract';
import { Mail, Phone } from 'lucide-react';
import { t } from '../../messages/t.ts';
import styles from './clinic-contact.module.css';

/** The ways to the clinic for what cannot be done online; nothing until they are known. */
export function ClinicContact({ config }: { config: ClinicConfig | null }) {
  if (!config) return null;
  return (
    <ul className={styles.contact}>
      <li>
        <a href={`tel:${config.clinicPhone}`} className={styles.way}>
          <Phone size={18} aria-hidden="true" />
          {t('ui.callClinic', { phone: config.clinicPhone })}
        </a>
      </li>
      <li>
        <a href={`mailto:${config.clinicEmail}`} className={styles.way}>
          <Mail size={18} aria-hidden="true" />
          {t('ui.writeClinic', { email: config.clinicEmail })}
        </a>
      </li>
    </ul>
  );
}
