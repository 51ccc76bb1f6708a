import type { ClinicConfig } from '@clinic/contract';
import { mapLink } from '@clinic/domain';
import { Mail, MapPin, Phone } from 'lucide-react';
import { t } from '../../messages/t.ts';
import styles from './clinic-contact.module.css';

interface ClinicContactProps {
  config: ClinicConfig | null;
  /** True when the page already shows the clinic's address. */
  placed?: boolean;
}

/** The clinic's address, phone and email; nothing until the configuration has loaded. */
export function ClinicContact({ config, placed = false }: ClinicContactProps) {
  if (!config) return null;
  return (
    <ul className={styles.contact}>
      {!placed && (
        <li className={styles.address}>
          <span translate="no">{config.clinicAddress}</span>
          <a href={mapLink(config.clinicAddress)} className={styles.way}>
            <MapPin size={18} aria-hidden="true" />
            {t('ui.clinicMap')}
          </a>
        </li>
      )}
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

/** Address and phone in one line, for places that show the email elsewhere. */
export function ClinicLine({ config }: { config: ClinicConfig }) {
  return (
    <address className={styles.line}>
      <a href={mapLink(config.clinicAddress)} className={styles.way} translate="no">
        {config.clinicAddress}
      </a>
      <a href={`tel:${config.clinicPhone}`} className={styles.way}>
        {config.clinicPhone}
      </a>
    </address>
  );
}
