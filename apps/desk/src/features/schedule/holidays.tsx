import { isUnknown } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import type { CallAnswer } from '@clinic/contract';
import {
  type StatutoryHoliday,
  addDays,
  startOfDay,
  statutoryHolidays,
  toClinic,
} from '@clinic/domain';
import { formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import office from '../../shared/office.module.css';
import { type ForeseenTime, closingsQuery } from '../../shared/schedule-data.ts';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { locale, t } from '../../shared/words.ts';
import { Sums } from './close-time.tsx';
import styles from './schedule.module.css';

/** A year's holiday: what closing it would come to; null where it is over. */
interface Foreseen {
  readonly holiday: StatutoryHoliday;
  readonly date: string;
  readonly time: ForeseenTime;
  readonly counts: CallAnswer<'deskForeseeClosing'>['extras'] | null;
}

const isToClose = ({ counts }: Foreseen) =>
  counts !== null && counts.isClosed !== true && counts.verdict !== 'refused';

/** Closes the statutory holidays of a year, for every provider, after one look at who is affected. */
export function Holidays({ providers }: { providers: readonly { readonly id: string }[] }) {
  const thisYear = Number(toClinic(clinicNow()).date.slice(0, 4));
  const [year, setYear] = useState(String(thisYear));
  const foresee = useAction({
    async work(of: string) {
      const providerIds = providers.map(({ id }) => id);
      const days: Foreseen[] = [];
      for (const { holiday, date } of statutoryHolidays(Number(of))) {
        const time = { providerIds, from: startOfDay(date), to: startOfDay(addDays(date, 1)) };
        const isOver = time.to <= clinicNow();
        const counts = isOver ? null : (await ask('deskForeseeClosing', { body: time })).extras;
        days.push({ holiday, date, time, counts });
      }
      return days;
    },
    gcTime: 0,
    changes: () => false,
  });
  const close = useAction({
    async work(days: readonly Pick<Foreseen, 'date' | 'time'>[], key) {
      for (const { date, time } of days)
        await ask('deskCloseTime', {
          headers: { 'idempotency-key': `${key} ${date}` },
          body: time,
        });
      return days.length;
    },
    // What was closed before it failed is shown as closed; where that is not known, the same is sent again.
    onFailed: (error) => (isUnknown(error) ? undefined : foresee.run(year)),
    onDone: () => foresee.run(year),
    shows: [closingsQuery.queryKey],
    unknown: t('desk.close.unknown'),
  });
  const days = foresee.result ?? [];
  const toClose = days.filter(isToClose);
  const cancelled = toClose.reduce((sum, { counts }) => sum + (counts?.cancelled ?? 0), 0);
  return (
    <Section title={t('desk.holidays.title')} about={t('desk.holidays.about')} isCard>
      <SendForm
        aria-label={t('desk.holidays.title')}
        does={t('desk.holidays.foresee')}
        doing={t('desk.looking')}
        busy={foresee.pending}
        variant="secondary"
        onSend={() => {
          close.forget();
          foresee.run(year);
        }}
      >
        <SelectField
          label={t('desk.holidays.year')}
          options={[0, 1, 2].map((ahead) => {
            const value = String(thisYear + ahead);
            return { value, label: value };
          })}
          value={year}
          onChange={(next) => {
            setYear(next);
            foresee.forget();
            close.forget();
          }}
        />
      </SendForm>
      <Outcome of={foresee} />
      {days.length > 0 && (
        <DataTable
          caption={t('desk.holidays.caption', { year })}
          showCaption
          columns={[t('desk.day'), t('desk.holidays.holiday'), t('desk.holidays.becomes')]}
          rows={days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{formatFullDate(locale(), day.date)}</th>
              <td>{t(`desk.holidays.${day.holiday}`)}</td>
              <td>
                <Becomes {...day} />
              </td>
            </tr>
          ))}
        />
      )}
      {toClose.length > 0 && (
        <div className={office.buttons} data-acts-on={`${year} ${toClose.length} ${cancelled}`}>
          <Button
            variant="danger"
            busy={close.pending}
            busyLabel={t('desk.close.closing')}
            onClick={() => close.run(toClose.map(({ date, time }) => ({ date, time })))}
          >
            {t('desk.holidays.close', { days: toClose.length, n: cancelled })}
          </Button>
        </div>
      )}
      <Outcome of={close} done={close.done && t('desk.holidays.done', { n: close.result ?? 0 })} />
    </Section>
  );
}

function Becomes({ counts }: Foreseen) {
  if (counts === null) return t('desk.holidays.over');
  if (counts.isClosed === true) return t('desk.holidays.isClosed');
  return (
    <div className={styles.form}>
      <Sums counts={counts} />
      {counts.verdict !== undefined && counts.verdict !== 'atOnce' && (
        <p>{t(`desk.close.${counts.verdict}`)}</p>
      )}
    </div>
  );
}
