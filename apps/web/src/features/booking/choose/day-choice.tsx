import { formatMonthDay, formatWeekday } from '@clinic/texts';
import { addDays, datesOf } from '@clinic/domain';
import type { ClinicDate, DateBounds } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { DateCalendar } from '@clinic/ui/date-calendar';
import { DayStrip, type StripItem } from '@clinic/ui/day-strip';
import { Dialog } from '@clinic/ui/dialog';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { locale, t } from '../../../messages/t.ts';
import styles from './day-choice.module.css';

/** How many days the strip offers before the calendar is the better way. */
const STRIP_DAYS = 14;

interface DayChoiceProps {
  bounds: DateBounds;
  value: ClinicDate;
  onChoose: (date: ClinicDate) => void;
}

/**
 * A calendar that is open where there is room; on phones a strip of days and a way to the calendar.
 */
export function DayChoice({ bounds, value, onChoose }: DayChoiceProps) {
  const [open, setOpen] = useState(false);
  const label = t('booking.day');
  const calendar = (
    <DateCalendar
      label={label}
      value={value}
      min={bounds.min}
      max={bounds.max}
      today={bounds.today}
      onChange={onChoose}
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
          items={stripOf(bounds, value)}
          selected={value}
          onSelect={onChoose}
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
        <Dialog
          title={t('booking.calendarTitle')}
          onClose={() => setOpen(false)}
          actions={<Button onClick={() => setOpen(false)}>{t('booking.chooseThisDay')}</Button>}
        >
          {calendar}{' '}
        </Dialog>
      )}
    </section>
  );
}

function stripOf(bounds: DateBounds, value: ClinicDate): StripItem[] {
  const to = addDays(bounds.min, STRIP_DAYS - 1);
  const dates = datesOf({ from: bounds.min, to });
  return (value > to ? [...dates, value] : dates).map((date) => ({
    id: date,
    label: formatWeekday(locale(), date),
    detail: formatMonthDay(locale(), date),
  }));
}
