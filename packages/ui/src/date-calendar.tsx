import { addDays, datesOf, type ClinicDate } from '@clinic/domain';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCallback, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { keyInReadingOrder } from './arrow-key.ts';
import { addMonths, weekdayIndex, weeksOf } from './calendar-month.ts';
import styles from './date-calendar.module.css';
import { focusByPress } from './focus.ts';
import { useWords } from './words.tsx';

/** Facts about days: marked ones have a dot, and screen readers hear `marked` or `unmarked`. */
export interface DayMarks {
  readonly isMarked: (date: ClinicDate) => boolean | undefined;
  readonly marked: string;
  readonly unmarked: string;
}

interface DateCalendarProps {
  label: string;
  value: ClinicDate;
  /** First and last day that can be chosen. */
  min: ClinicDate;
  max: ClinicDate;
  /** The clinic's today, which is highlighted; the device's date is not used. */
  today?: ClinicDate;
  marks?: DayMarks;
  onChange: (date: ClinicDate) => void;
  /** Called when another month is shown, with one of its days. */
  onTurn?: (date: ClinicDate) => void;
}

const clamp = (date: ClinicDate, min: ClinicDate, max: ClinicDate) =>
  date < min ? min : date > max ? max : date;

/** The day that a key leads to from a day, or null for other keys. */
function target(key: string, shift: boolean, from: ClinicDate): ClinicDate | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(from, -1);
    case 'ArrowRight':
      return addDays(from, 1);
    case 'ArrowUp':
      return addDays(from, -7);
    case 'ArrowDown':
      return addDays(from, 7);
    case 'Home':
      return addDays(from, -weekdayIndex(from));
    case 'End':
      return addDays(from, 6 - weekdayIndex(from));
    case 'PageUp':
      return addMonths(from, shift ? -12 : -1);
    case 'PageDown':
      return addMonths(from, shift ? 12 : 1);
    default:
      return null;
  }
}

/** One month as a grid, for mouse, touch or arrow keys. */
export function DateCalendar(props: DateCalendarProps) {
  const { label, value, min, max, today, marks, onChange, onTurn } = props;
  const words = useWords();
  const id = useId();
  const moveFocus = useRef(false);
  const [cursor, setCursor] = useState(() => clamp(value, min, max));
  const [shownValue, setShownValue] = useState(value);
  if (value !== shownValue) {
    setShownValue(value);
    setCursor(clamp(value, min, max));
  }

  const focusIfMoved = useCallback((day: HTMLElement | null) => {
    if (day === null || !moveFocus.current) return;
    moveFocus.current = false;
    focusByPress(day);
  }, []);

  const goTo = (date: ClinicDate) => {
    setCursor(date);
    if (date.slice(0, 7) !== cursor.slice(0, 7)) onTurn?.(date);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = target(keyInReadingOrder(event), event.shiftKey, cursor);
    if (next === null) return;
    event.preventDefault();
    const date = clamp(next, min, max);
    // Otherwise the focus would move with the next turn of the month.
    moveFocus.current = date !== cursor;
    goTo(date);
  };
  const turn = (months: number) => goTo(clamp(addMonths(cursor, months), min, max));
  const describedBy = (date: ClinicDate) => {
    const isMarked = marks?.isMarked(date);
    return isMarked === undefined ? undefined : `${id}-${isMarked ? 'marked' : 'unmarked'}`;
  };
  const month = cursor.slice(0, 7);
  const sunday = addDays(cursor, -weekdayIndex(cursor));
  const weekdays = datesOf({ from: sunday, to: addDays(sunday, 6) }).map(words.weekdayOf);

  return (
    <div className={styles.calendar} role="group" aria-label={label}>
      <div className={styles.head}>
        <TurnButton
          label={words.previousMonth}
          disabled={month <= min.slice(0, 7)}
          onClick={() => turn(-1)}
          icon={<ChevronLeft size={22} aria-hidden="true" />}
        />
        <p className={styles.month} id={`${id}-month`} aria-live="polite">
          {words.monthOf(cursor)}
        </p>
        <TurnButton
          label={words.nextMonth}
          disabled={month >= max.slice(0, 7)}
          onClick={() => turn(1)}
          icon={<ChevronRight size={22} aria-hidden="true" />}
        />
      </div>
      <table role="grid" aria-labelledby={`${id}-month`} className={styles.grid}>
        <thead>
          <tr>
            {weekdays.map((weekday) => (
              <th key={weekday} scope="col" abbr={weekday}>
                {weekday.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {weeksOf(cursor).map((week, row) => (
            <tr key={week.find((date) => date !== null) ?? row}>
              {week.map((date, column) =>
                date === null ? (
                  <td key={column} aria-hidden="true" />
                ) : (
                  <td key={date} aria-selected={date === value}>
                    <button
                      ref={date === cursor ? focusIfMoved : null}
                      type="button"
                      className={styles.day}
                      data-date={date}
                      data-marked={marks?.isMarked(date) || undefined}
                      aria-describedby={describedBy(date)}
                      tabIndex={date === cursor ? 0 : -1}
                      disabled={date < min || date > max}
                      aria-pressed={date === value}
                      aria-current={date === today ? 'date' : undefined}
                      aria-label={words.fullDate(date)}
                      onClick={() => onChange(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {marks && (
        <div hidden>
          <span id={`${id}-marked`}>{marks.marked}</span>
          <span id={`${id}-unmarked`}>{marks.unmarked}</span>
        </div>
      )}
    </div>
  );
}

interface TurnButtonProps {
  label: string;
  icon: ReactNode;
  disabled: boolean;
  onClick: () => void;
}

function TurnButton({ label, icon, disabled, onClick }: TurnButtonProps) {
  return (
    <button
      type="button"
      className={styles.turn}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
    </button>
  );
}
