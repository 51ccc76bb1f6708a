import { LoadState } from '@clinic/app/outcome';
import type { ApiDayTakings, ApiMoneyRow } from '@clinic/contract';
import { FEE_MEANS, MONEY_STATES, type MoneyState, formatTime, toClinic } from '@clinic/domain';
import { formatDay, formatMoment, formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { EmptyState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { ask } from '../../shared/api.ts';
import { FeeBackDialog } from '../../shared/booking/take-fee.tsx';
import { DataTable, ofNumbers } from '../../shared/data-table.tsx';
import { DateRange, useDateRange } from '../../shared/date-range.tsx';
import styles from '../../shared/office.module.css';
import { Page } from '../../shared/page.tsx';
import { Section } from '../../shared/section.tsx';
import { locale, t } from '../../shared/words.ts';
import { Reconcile } from './reconcile.tsx';
import { RefundDialog } from './refund-dialog.tsx';

/** Payments of a range of days, and each day's takings. */
export function MoneyPage() {
  const [range, setRange] = useDateRange('desk.range.today');
  const [search, setSearch] = useSearchParams();
  const state = MONEY_STATES.find((each) => each === search.get('state'));
  const money = useQuery({
    queryKey: ['money', range.from, range.to, state],
    // Asked anew after a change, it runs in the background.
    queryFn: async ({ client, queryKey }) => {
      const background = client.getQueryData(queryKey) !== undefined;
      const query = { ...range, ...(state && { state }) };
      return (await ask('deskMoney', { query }, { background })).extras;
    },
    gcTime: 0,
  });
  const [givingBack, setGivingBack] = useState<ApiMoneyRow>();
  const [outcome, setOutcome] = useState<{ row: ApiMoneyRow; state: MoneyState; press: number }>();
  const showOutcome = (row: ApiMoneyRow, next: MoneyState) => {
    setGivingBack(undefined);
    setOutcome((before) => ({ row, state: next, press: (before?.press ?? 0) + 1 }));
  };
  const { rows = [], days = [], hasMore = false } = money.data ?? {};
  return (
    <Page title={t('desk.money')} beside={<DateRange range={range} onChange={setRange} />}>
      {outcome && <Outcome {...outcome} />}
      <LoadState of={money} />
      {money.data && (
        <>
          <Section title={t('desk.money.takings')}>
            {days.length === 0 ? (
              <EmptyState>{t('desk.money.noTakings')}</EmptyState>
            ) : (
              <Takings days={days} />
            )}
          </Section>
          <Section title={t('desk.money.payments')}>
            <div className={styles.row}>
              <SelectField
                label={t('desk.money.state')}
                placeholder={t('desk.money.all')}
                options={MONEY_STATES.map((each) => ({
                  value: each,
                  label: t(`desk.money.${each}`),
                }))}
                value={state ?? ''}
                onChange={(next) => setSearch({ ...range, ...(next !== '' && { state: next }) })}
              />
            </div>
            {rows.length === 0 ? (
              <EmptyState>{t('desk.money.noPayments')}</EmptyState>
            ) : (
              <Payments rows={rows} onGiveBack={setGivingBack} />
            )}
            {hasMore && <p className={styles.soft}>{t('desk.money.more')}</p>}
          </Section>
        </>
      )}
      <Reconcile />
      {givingBack &&
        (givingBack.means === null ? (
          <RefundDialog
            row={givingBack}
            onClose={() => setGivingBack(undefined)}
            onDone={(next) => showOutcome(givingBack, next)}
          />
        ) : (
          <FeeBackDialog
            id={givingBack.appointmentId}
            cents={givingBack.cents}
            onClose={() => setGivingBack(undefined)}
            onNoted={() => showOutcome(givingBack, 'refunded')}
          />
        ))}
    </Page>
  );
}

const OUTCOMES = {
  refunded: ['good', 'desk.money.isRefunded'],
  refundFailed: ['danger', 'desk.money.isRefundFailed'],
  unknown: ['caution', 'desk.money.isRefunding'],
} as const;

/** The card company's outcome of a refund, or that it is pending; for a fee at the clinic, the note. */
function Outcome({ row, state, press }: { row: ApiMoneyRow; state: MoneyState; press: number }) {
  const isKnown = state === 'refunded' || state === 'refundFailed';
  const [kind, online] = OUTCOMES[isKnown ? state : 'unknown'];
  const says = row.means === null ? online : 'desk.money.isNoted';
  return (
    <ActionOutcome press={press} kind={kind}>
      {t(says, { amount: formatMoney(locale(), row.cents), patient: row.patient })}
    </ActionOutcome>
  );
}

const COLUMNS = ['online', 'refunded', ...FEE_MEANS] as const;

const sumOf = (sums: ApiDayTakings['back']) =>
  FEE_MEANS.reduce((all, means) => all + sums[means], 0);

/** The cash drawer at the end of each day, and other income. */
function Takings({ days }: { days: readonly ApiDayTakings[] }) {
  const names = [...COLUMNS.map((column) => t(`desk.money.${column}`)), t('desk.money.atClinic')];
  return (
    <DataTable
      caption={t('desk.money.takings')}
      columns={[t('desk.day'), ...names.map(ofNumbers)]}
      rows={days.map((day) => (
        <TakingsRow key={day.date} name={formatDay(locale(), day.date)} days={[day]} />
      ))}
    >
      {days.length > 1 && (
        <tfoot>
          <TakingsRow name={t('desk.money.sum')} days={days} />
        </tfoot>
      )}
    </DataTable>
  );
}

/** The sum of some days. */
function TakingsRow({ name, days }: { name: string; days: readonly ApiDayTakings[] }) {
  const all = (of: (day: ApiDayTakings) => number) => days.reduce((sum, day) => sum + of(day), 0);
  return (
    <tr>
      <th scope="row">{name}</th>
      {COLUMNS.map((column) => (
        <Amount
          key={column}
          cents={all((day) => day[column])}
          back={all((day) => backOf(day, column))}
        />
      ))}
      <Amount cents={all(sumOf)} back={all(({ back }) => sumOf(back))} />
    </tr>
  );
}

/** The amount given back at the clinic by the means of a column. */
const backOf = ({ back }: ApiDayTakings, column: (typeof COLUMNS)[number]): number =>
  column === 'online' || column === 'refunded' ? 0 : back[column];

/** The amount taken and, beneath it, the amount given back by the same means. */
const Amount = ({ cents, back }: { cents: number; back: number }) => (
  <td className={styles.number}>
    {formatMoney(locale(), cents)}
    {back > 0 && (
      <div className={styles.soft}>
        {t('desk.money.backOf', { amount: formatMoney(locale(), back) })}
      </div>
    )}
  </td>
);

interface PaymentsProps {
  rows: readonly ApiMoneyRow[];
  onGiveBack: (row: ApiMoneyRow) => void;
}

function Payments({ rows, onGiveBack }: PaymentsProps) {
  const mayAct = rows.some(({ isRefundable }) => isRefundable);
  return (
    <DataTable
      caption={t('desk.money.payments')}
      columns={[
        t('desk.money.paidAt'),
        t('desk.patient'),
        t('desk.appointment'),
        ofNumbers(t('desk.money.amount')),
        t('desk.money.means'),
        t('desk.money.state'),
        mayAct && t('desk.money.giveBack'),
      ]}
      rows={rows.map((row) => (
        <tr key={`${row.means} ${row.id}`} data-acts-on={`${row.id} ${row.patient} ${row.cents}`}>
          <td>
            <div className={styles.whole}>{formatDay(locale(), toClinic(row.at).date)}</div>
            <div className={styles.soft}>{formatTime(row.at)}</div>
          </td>
          <th scope="row">{row.patient}</th>
          <td>
            {row.description}
            {row.start !== null && (
              <div className={styles.soft}>{formatMoment(locale(), row.start)}</div>
            )}
          </td>
          <td className={styles.number}>{formatMoney(locale(), row.cents)}</td>
          <td>
            {row.means === null
              ? t('desk.money.onlineCard')
              : t('desk.money.atClinicBy', { means: t(`desk.means.${row.means}`) })}
            {row.reference !== null && (
              <div className={styles.soft}>
                {t('desk.money.reference', { reference: row.reference })}
              </div>
            )}
          </td>
          <td>
            {stateText(row)}
            {row.isAlarming && <div className={styles.soft}>{t('desk.money.alarm')}</div>}
            {row.refundMeans && (
              <div className={styles.soft}>
                {t('desk.money.atClinicBy', { means: t(`desk.means.${row.refundMeans}`) })}
              </div>
            )}
            {row.refundReason && (
              <div className={styles.soft}>{t(`desk.money.reason.${row.refundReason}`)}</div>
            )}
          </td>
          {mayAct && (
            <td>
              {row.isRefundable && (
                <Button
                  variant="secondary"
                  aria-label={t(
                    row.means === null ? 'desk.money.giveBackOf' : 'desk.money.noteBackOf',
                    { amount: formatMoney(locale(), row.cents), patient: row.patient },
                  )}
                  onClick={() => onGiveBack(row)}
                >
                  {t(row.means === null ? 'desk.money.giveBack' : 'desk.feeBack')}
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    />
  );
}

const stateText = ({ state, paymentState }: ApiMoneyRow): string =>
  t(state === 'captured' && paymentState === 'kept' ? 'desk.money.kept' : `desk.money.${state}`);
