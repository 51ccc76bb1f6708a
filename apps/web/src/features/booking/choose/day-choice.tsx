import { formatMonthDay, formatWeekday } from '@clinic/texts';
import { addDays, datesOf } from '@clinic/domain';
import type { Choice, ClinicDate, DateBounds, DateSpan } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { DateCalendar } from '@clinic/ui/date-calendar';
import { DayStrip, type StripItem } from '@clinic/ui/day-strip';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { locale, t } from '../../../messages/t.ts';
import { useOpenDays } from '../slots/slot-search.ts';
import type { BookingData } from '../booking-data.ts';
import styles from './day-choice.module.css';
import { QuestionDialog } from '../../../shared/shell/question-dialog.tsx';

/** How many days the strip offers; for later days the patient opens the calendar. */
const STRIP_DAYS = 12;

interface DayChoiceProps {
  data: BookingData;
  choice: Choice;
  bounds: DateBounds;
  value: ClinicDate;
  onChoose: (date: ClinicDate) => void;
}

/** An open calendar on wide screens; on phones a strip of days, and a button for the calendar. */
export function DayChoice({ data, choice, bounds, value, onChoose }: DayChoiceProps) {
  const [open, setOpen] = useState(false);
  const [shown, setShown] = useState(value);
  const choose = (date: ClinicDate) => {
    setShown(date);
    onChoose(date);
  };
  const isCalendar = open || window.matchMedia?.('(min-width: 720px)').matches;
  const strip = stripOf(bounds, value);
  const days = useOpenDays(data, choice, isCalendar ? monthOf(shown, bounds) : spanOf(bounds));
  const label = t('booking.day');
  const calendar = (
    <DateCalendar
      label={label}
      value={value}
      min={bounds.min}
      max={bounds.max}
      today={bounds.today}
      marks={{
        isMarked: (date) => days.get(date),
        marked: t('booking.dayOpen'),
        unmarked: t('booking.dayFull'),
      }}
      onChange={choose}
      onTurn={setShown}
    />
  );
  return (
    <section className={styles.day} aria-labelledby="booking-day">
      <h2 id="booking-day" className={styles.heading} tabIndex={-1}>
        {label}
      </h2>
      <p className={styles.hint}>{t('booking.dayHint')}</p>
      <div className={styles.calendar}>{calendar}</div>
      <div className={styles.strip}>
        <DayStrip
          label={label}
          items={strip.map((date) => stripItem(date, days.get(date)))}
          selected={value}
          onSelect={choose}
        />
        <Button
          variant="secondary"
          icon={<CalendarDays size={20} aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          {t('booking.openCalendar')}
        </Button>
      </div>
      {open && (
        <QuestionDialog
          title={t('booking.calendarTitle')}
          yes={t('booking.chooseThisDay')}
          onClose={() => setOpen(false)}
        >
          {calendar}
        </QuestionDialog>
      )}
    </section>
  );
}

const spanOf = ({ min }: DateBounds): DateSpan => ({ from: min, to: addDays(min, STRIP_DAYS - 1) });

function stripOf(bounds: DateBounds, value: ClinicDate): ClinicDate[] {
  const span = spanOf(bounds);
  const dates = datesOf(span);
  return value > span.to ? [...dates, value] : dates;
}

/** The days of a month that can be chosen. */
function monthOf(date: ClinicDate, { min, max }: DateBounds): DateSpan {
  const first = `${date.slice(0, 7)}-01`;
  const last = addDays(first, 30);
  const end = last.slice(0, 7) === date.slice(0, 7) ? last : addDays(last, -Number(last.slice(8)));
  return { from: first < min ? min : first, to: end > max ? max : end };
}

function stripItem(date: ClinicDate, isOpen: boolean | undefined): StripItem {
  const item = {
    id: date,
    label: formatWeekday(locale(), date),
    detail: formatMonthDay(locale(), date),
  };
  if (isOpen === undefined) return item;
  return { ...item, marked: isOpen, more: t(isOpen ? 'booking.dayOpen' : 'booking.dayFull') };
}
