import type { ApiDifference } from '@clinic/contract';
import { formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import styles from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { locale, t } from '../../shared/words.ts';

const USUAL_DAYS = '7';

/** Compares payments with the card company's books, and says what to do about each difference. */
export function Reconcile() {
  const [days, setDays] = useState(USUAL_DAYS);
  const compare = useAction({
    work: async () => (await ask('deskReconcile', { body: { days: Number(days) } })).extras,
    shows: [['money']],
  });
  const report = compare.result;
  return (
    <Section title={t('desk.money.reconcile')} about={t('desk.money.reconcileAbout')}>
      <SendForm
        does={t('desk.money.reconcile')}
        doing={t('desk.money.reconciling')}
        busy={compare.pending}
        variant="secondary"
        onSend={compare.run}
      >
        <TextField
          type="number"
          label={t('desk.money.reconcileDays')}
          width="short"
          required
          min={1}
          max={31}
          value={days}
          onChange={setDays}
        />
      </SendForm>
      <Outcome of={compare} />
      {report && (
        <>
          <ActionOutcome
            press={compare.press}
            kind={report.differences.some(({ outcome }) => outcome === 'alarm') ? 'danger' : 'good'}
          >
            <p>
              {t('desk.money.reconciled', {
                intents: report.intents,
                payments: report.payments,
                taken: formatMoney(locale(), report.capturedCents),
                back: formatMoney(locale(), report.refundedCents),
              })}
            </p>
            {report.left > 0 && <p>{t('desk.money.left', { n: report.left })}</p>}
            {report.left === 0 && report.differences.length === 0 && (
              <p>{t('desk.money.noDifferences')}</p>
            )}
          </ActionOutcome>
          {report.differences.length > 0 && (
            <DataTable
              caption={t('desk.money.differences', { count: report.differences.length })}
              showCaption
              columns={[t('desk.money.payment'), t('desk.money.what'), t('desk.money.toDo')]}
              rows={report.differences.map((each) => (
                <tr key={`${each.payment} ${each.intent}`}>
                  <th scope="row">
                    {each.payment}
                    <div className={styles.soft}>{each.intent}</div>
                  </th>
                  <td>{t(`desk.money.what.${each.what}`)}</td>
                  <td>{t(toDo(each))}</td>
                </tr>
              ))}
            />
          )}
        </>
      )}
    </Section>
  );
}

const toDo = ({ what, outcome }: ApiDifference) =>
  what === 'stranger' ? 'desk.money.do.stranger' : (`desk.money.do.${outcome}` as const);
