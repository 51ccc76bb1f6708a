import { formatMoment, formatMoney } from '@clinic/texts';
import type { ApiAppointment, ApiDoctor } from '@clinic/contract';
import { centsOf } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Printer } from 'lucide-react';
import { locale, t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import { useUser } from '../../shared/session/session.ts';
import styles from './receipt.module.css';
import { doctorWords, lastingWords } from './listed-appointment.ts';

interface ReceiptProps {
  appointment: ApiAppointment;
  doctors: readonly ApiDoctor[];
  onClose: () => void;
}

/** What was paid for an appointment, to print or to save: browsers print to a PDF. */
export function Receipt({ appointment, doctors, onClose }: ReceiptProps) {
  const { firstName, lastName } = useUser();
  const clinic = useConfig();
  const { receipt, description, startTime } = appointment;
  const back = (
    <Button variant="secondary" onClick={onClose}>
      {t('appointments.back')}
    </Button>
  );
  if (!receipt)
    return (
      <>
        <Notice>
          <p>{t('appointments.noReceipt')}</p>
        </Notice>
        <div className={styles.actions}>{back}</div>
      </>
    );
  const patient = `${firstName} ${lastName}`;
  const own = [clinic?.clinicName, clinic?.clinicAddress, patient, receipt.reference];
  const facts = [
    [t('appointments.receiptClinic'), clinic?.clinicName, clinic?.clinicAddress],
    [t('appointments.receiptPatient'), patient],
    [
      t('appointments.receiptFor'),
      t('appointments.receiptAppointment', {
        type: description,
        when: formatMoment(locale(), startTime),
        doctor: doctorWords(appointment, doctors),
      }),
      lastingWords(appointment),
    ],
    [t('appointments.feePaid'), formatMoney(locale(), centsOf(receipt.amount) ?? 0)],
    [t('appointments.receiptPaidOn'), formatMoment(locale(), receipt.paidAt)],
    [t('appointments.receiptReference'), receipt.reference],
  ];
  return (
    <div className={styles.receipt}>
      <dl className={styles.facts}>
        {facts.map(([name, ...values]) => (
          <div key={name}>
            <dt>{name}</dt>
            {values.map((value) => (
              <dd key={value} translate={own.includes(value) ? 'no' : undefined}>
                {value}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        <Button
          icon={<Printer size={20} aria-hidden="true" />}
          onClick={() => {
            window.print();
          }}
        >
          {t('appointments.print')}
        </Button>
        {back}
      </div>
    </div>
  );
}
