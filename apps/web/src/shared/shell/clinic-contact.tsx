import type { ClinicConfig } from '@clinic/contract';
import { mapLink } from '@clinic/domain';
import { Mail, MapPin, Phone } from 'lucide-react';
import { useConfig } from '../../api/config.ts';
import { t } from '../../messages/t.ts';
import styles from './clinic-contact.module.css';

/** The clinic's address, unless the page is `placed` by it already, phone and email; nothing until they have loaded. */
export function ClinicContact({ placed = false }) {
  const config = useConfig();
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
