import { useQuery } from '@tanstack/react-query';
import { formatMoment, formatMoney } from '@clinic/texts';
import { centsOf } from '@clinic/domain';
import { EmptyState, FailedState, LoadingState } from '@clinic/ui/page-states';
import { Link } from 'wouter';
import { locale, t } from '../../messages/t.ts';
import { appointmentsQuery } from '../../api/appointments.ts';
import { OPENED, receiptAddress } from './listed-appointment.ts';
import styles from './receipt.module.css';

/** All that was paid and not paid back, latest first, each with its receipt. */
export function ReceiptList() {
  const list = useQuery(appointmentsQuery({ all: true }));
  if (!list.data)
    return list.isError ? (
      <FailedState onRetry={() => void list.refetch()} busy={list.isFetching} />
    ) : (
      <LoadingState label={t('appointments.loading')} />
    );
  const paid = list.data.appointments
    .flatMap(({ receipt, ...appointment }) => (receipt ? [{ ...appointment, receipt }] : []))
    .sort((one, other) => other.receipt.paidAt - one.receipt.paidAt);
  if (paid.length === 0) return <EmptyState>{t('appointments.noReceipts')}</EmptyState>;
  return (
    <ul className={styles.facts}>
      {paid.map(({ id, description, startTime, receipt: { amount, paidAt } }) => (
        <li key={id}>
          <Link to={receiptAddress(id)} state={OPENED}>
            {t('appointments.typeAndTime', {
              type: description,
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
