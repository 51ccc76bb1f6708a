import { clinicNow } from '@clinic/app/clock';
import { type DateSpan, addDays, isWholeDay, toClinic } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { useSearchParams } from 'wouter';
import { DayField } from './day-field.tsx';
import styles from './office.module.css';
import { t } from './words.ts';

const firstOfMonth = (date: string) => `${date.slice(0, 8)}01`;

/** The usual ranges, by message key. */
function usualRanges() {
  const today = toClinic(clinicNow()).date;
  const endOfLast = addDays(firstOfMonth(today), -1);
  return {
    'desk.range.today': { from: today, to: today },
    'desk.range.week': { from: addDays(today, -6), to: today },
    'desk.range.month': { from: firstOfMonth(today), to: today },
    'desk.range.lastMonth': { from: firstOfMonth(endOfLast), to: endOfLast },
  } as const;
}

type Usual = keyof ReturnType<typeof usualRanges>;
const USUAL = Object.keys(usualRanges()) as Usual[];

/** The range of days of a page. It is kept in the address, for Back, reloads and a locked screen. */
export function useDateRange(usual: Usual): [DateSpan, (range: DateSpan) => void] {
  const [search, setSearch] = useSearchParams();
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? '';
  const isGiven = isWholeDay(from) && isWholeDay(to) && from <= to;
  return [isGiven ? { from, to } : usualRanges()[usual], (range) => setSearch({ ...range })];
}

interface DateRangeProps {
  range: DateSpan;
  onChange: (range: DateSpan) => void;
}

/** Chooses the range; moving one end past the other takes the other along. */
export function DateRange({ range: { from, to }, onChange }: DateRangeProps) {
  const ranges = usualRanges();
  return (
    <div className={styles.range} role="group" aria-label={t('desk.range')}>
      {USUAL.map((name) => (
        <Button
          key={name}
          variant="secondary"
          aria-pressed={ranges[name].from === from && ranges[name].to === to}
          onClick={() => onChange(ranges[name])}
        >
          {t(name)}
        </Button>
      ))}
      <div className={styles.ends}>
        <DayField
          label={t('desk.from')}
          width="short"
          value={from}
          onChange={(next) => onChange({ from: next, to: next > to ? next : to })}
        />
        <DayField
          label={t('desk.to')}
          width="short"
          value={to}
          onChange={(next) => onChange({ from: next < from ? next : from, to: next })}
        />
      </div>
    </div>
  );
}
