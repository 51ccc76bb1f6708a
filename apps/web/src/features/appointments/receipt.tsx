import { formatMoment, formatMoney } from '@clinic/texts';
import type { ApiAppointment, ApiDoctor } from '@clinic/contract';
import { centsOf } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Printer } from 'lucide-react';
import { locale, t } from '../../messages/t.ts';
import { typeName } from '../../shared/clinic-words.tsx';
import { useConfig } from '../../api/config.ts';
import { useUser } from '../../shared/session/session.ts';
import styles from './receipt.module.css';
import { doctorWords, lastingWords, OPENED, receiptAddress } from './listed-appointment.ts';
import { useQuery } from '@tanstack/react-query';
import { LoadState } from '@clinic/app/outcome';
import { EmptyState } from '@clinic/ui/page-states';
import { Link } from 'wouter';
import { appointmentsQuery } from '../../api/appointments.ts';

interface ReceiptProps {
  appointment: ApiAppointment;
  doctors: readonly ApiDoctor[];
  onClose: () => void;
}

/** The receipt of an appointment, for printing or saving; browsers can print to PDF. */
export function Receipt({ appointment, doctors, onClose }: ReceiptProps) {
  const { firstName, lastName } = useUser();
  const clinic = useConfig();
  const { receipt, startTime } = appointment;
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
        type: typeName(appointment),
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

/** All payments that were not refunded, latest first, each with its receipt. */
export function ReceiptList() {
  const list = useQuery(appointmentsQuery({ all: true }));
  if (!list.data) return <LoadState of={list} />;
  const paid = list.data.appointments
    .flatMap(({ receipt, ...appointment }) => (receipt ? [{ ...appointment, receipt }] : []))
    .sort((one, other) => other.receipt.paidAt - one.receipt.paidAt);
  if (paid.length === 0) return <EmptyState>{t('appointments.noReceipts')}</EmptyState>;
  return (
    <ul className={styles.facts}>
      {paid.map(({ id, startTime, receipt: { amount, paidAt }, ...named }) => (
        <li key={id}>
          <Link to={receiptAddress(id)} state={OPENED}>
            {t('appointments.typeAndTime', {
              type: typeName(named),
              when: formatMoment(locale(), startTime),
            })}
          </Link>
          <p>
            {t('appointments.receiptPaid', {
              amount: formatMoney(locale(), centsOf(amount) ?? 0),
              when: formatMoment(locale(), paidAt),
            })}
          </p>
        </li>
      ))}
    </ul>
  );
}
