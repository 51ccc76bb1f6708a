import type { ApiChangedFee } from '@clinic/contract';
import { deskPages } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import type { Done } from './patient-data.ts';
import styles from './patients.module.css';

interface ChangedFeesProps {
  fees: readonly ApiChangedFee[];
  onDone: Done;
}

/** Fees ahead that a change of card or eligibility has changed: one press applies those due at the clinic. */
export function ChangedFees({ fees, onDone }: ChangedFeesProps) {
  const may = useMay();
  const appointmentIds = fees.flatMap((fee) => (fee.paidBy === null ? [fee.appointmentId] : []));
  const apply = useAction({
    work: async () => (await ask('deskApplyFees', { body: { appointmentIds } })).extras,
    onDone: (answer) => {
      const isAsked = (id: string) => appointmentIds.includes(id);
      const left = answer.fees.filter(
        ({ appointmentId, paidBy }) => paidBy === null && isAsked(appointmentId),
      ).length;
      const paid = answer.paid.filter(isAsked).length;
      const applied = appointmentIds.length - left - paid;
      onDone(t('desk.feesApplied', { applied, paid, left }), answer.fees);
    },
    shows: [['patient'], ['day'], ['appointment'], ['money']],
  });
  return (
    <>
      <ul className={styles.entries}>
        {fees.map((fee) => (
          <li key={fee.appointmentId}>
            {t('desk.feeChanged', {
              when: formatMoment(locale(), fee.start),
              type: fee.type,
              old: formatMoney(locale(), fee.oldCents),
              now: formatMoney(locale(), fee.newCents),
            })}
            {fee.paidBy !== null && (
              <>
                {' '}
                {t(`desk.feePaid${fee.newCents < fee.oldCents ? 'More' : 'Less'}.${fee.paidBy}`)}
                {fee.paidBy === 'card' && may('money') && (
                  <>
                    {' '}
                    <Link href={deskPages.money}>{t('desk.feeToMoney')}</Link>
                  </>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {appointmentIds.length > 0 && may('takeFee') && (
        <div className={styles.buttons}>
          <Button
            actsOn={appointmentIds.join(' ')}
            busy={apply.pending}
            busyLabel={t('desk.feesApplying')}
            onClick={() => apply.run()}
          >
            {t('desk.feesApply', { n: appointmentIds.length })}
          </Button>
        </div>
      )}
      <Outcome of={apply} />
    </>
  );
}
