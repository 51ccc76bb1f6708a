import { formatDay, formatWeekday } from '@clinic/texts';
import { doctorName, formatTime, shortName } from '@clinic/domain';
import type { AppointmentType, Doctor } from '@clinic/domain';
import { keyInReadingOrder } from '@clinic/ui/arrow-key';
import { DayStrip, type StripItem } from '@clinic/ui/day-strip';
import { focusByPress } from '@clinic/ui/focus';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import {
  memo,
  useDeferredValue,
  useId,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { locale, t } from '../../../messages/t.ts';
import { minutesWords, modeWords } from '../../../shared/appointment-length.ts';
import { pageLanguage } from '@clinic/app/language';
import { useStore } from '@clinic/app/store';
import type { TakenChips } from './live-slots.ts';
import {
  isSpecifiedLength,
  outcomePlace,
  type DayPart,
  type OutcomePlace,
  type SlotChip,
  type SlotColumn as Column,
} from './slot-columns.ts';
import styles from './slot-grid.module.css';

interface Outcome {
  readonly pressed: SlotChip;
  readonly words: ReactNode;
}

const NONE: readonly Column[] = [];

interface SlotGridProps {
  columns: readonly Column[];
  /** The appointment type that these times are for. */
  type: AppointmentType;
  /** The doctor whose times these are, when the columns are dates; null for all doctors. */
  doctor: Doctor | null;
  pendingKey: string | null;
  /** Times that somebody else has taken since the search. */
  taken: TakenChips;
  /** Outcome of the last press: shown beneath the pressed time, or else above all columns. */
  outcome: Outcome | null;
  /** Must be a stable function, or every column re-renders with its parent. */
  onPick: (chip: SlotChip) => void;
}

/** The free times in columns; on phones one column at a time, with a strip to switch. */
export function SlotGrid({
  columns: found,
  type,
  doctor,
  pendingKey,
  taken,
  outcome,
  onPick,
}: SlotGridProps) {
  // Rendering thousands of times waits until the press that asked for them has shown its effect.
  const columns = useDeferredValue(found, NONE);
  const hint = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const first = columns.find(({ count }) => count > 0)?.key ?? null;
  const current = columns.some(({ key, count }) => key === asked && count > 0) ? asked : first;
  const place = outcome && outcomePlace(columns, outcome.pressed);
  const saysLength = !columns.every(isSpecifiedLength);

  return (
    <div className={styles.grid}>
      {saysLength && type.mode !== 'inPerson' && (
        <p className={styles.mode}>{modeWords(type.mode)}</p>
      )}
      {place === null && outcome?.words}
      <div className={styles.strip}>
        <DayStrip
          label={t('booking.columns')}
          items={columns.map(stripItem)}
          selected={current}
          onSelect={setAsked}
        />
      </div>
      <VisuallyHidden id={hint}>{t('booking.chipKeys')}</VisuallyHidden>
      <div className={styles.columns}>
        {columns.map((column) => (
          <SlotColumn
            key={column.key}
            column={column}
            doctor={doctor}
            lasting={saysLength ? type : null}
            current={column.key === current}
            taken={
              column.parts.some(({ chips }) => chips.some(({ key }) => taken.has(key)))
                ? taken
                : null
            }
            pendingKey={pendingKey !== null && holds(column, pendingKey) ? pendingKey : null}
            place={place?.column === column.key ? place : null}
            outcome={place?.column === column.key ? outcome?.words : null}
            describedBy={hint}
            onPick={onPick}
          />
        ))}
      </div>
    </div>
  );
}

function holds({ parts }: Column, key: string): boolean {
  return parts.some(({ chips }) => chips.some((chip) => chip.key === key));
}

function stripItem(column: Column): StripItem {
  const { key, provider, date, count } = column;
  const day = `${formatWeekday(locale(), date)} ${Number(date.slice(8))}`;
  return {
    id: key,
    label: provider ? shortName(provider) : day,
    detail: t('booking.columnCount', { count }),
    more: t('booking.columnMore', { count }),
    disabled: count === 0,
  };
}

interface SlotColumnProps {
  column: Column;
  /** The doctor whose times these are, when the column is a date; null for all doctors. */
  doctor: Doctor | null;
  /** Set when each time says how long it lasts and how the patient is seen; null otherwise. */
  lasting: AppointmentType | null;
  /** True for the one column that phones show. */
  current: boolean;
  /** Key of the chip being held, when it is in this column. */
  pendingKey: string | null;
  /** Times that somebody else has taken, when some are in this column. */
  taken: TakenChips | null;
  /** Place of the last press's outcome, when it is in this column. */
  place: OutcomePlace | null;
  outcome: ReactNode;
  describedBy: string;
  onPick: (chip: SlotChip) => void;
}

function columnHead({ provider, date }: Column): string {
  return provider
    ? t('booking.provider', { name: shortName(provider) })
    : formatDay(locale(), date);
}

/**
 * One day or one provider: a sticky head, and the times by part of the day. The whole column is one
 * tab stop.
 */
const SlotColumn = memo(function SlotColumn({
  column,
  doctor,
  lasting,
  current,
  pendingKey,
  taken,
  place,
  outcome,
  describedBy,
  onPick,
}: SlotColumnProps) {
  // Re-renders the column on a change of language, which changes no other prop.
  useStore(pageLanguage);
  const id = useId();
  const stateOf = ({ key }: SlotChip) => (key === pendingKey ? undefined : taken?.get(key));
  const chips = column.parts
    .flatMap((part) => part.chips)
    .filter((chip) => stateOf(chip) !== 'gone');
  const [reached, setReached] = useState<string | null>(null);
  const stop = chips.some(({ key }) => key === reached) ? reached : chips[0]?.key;
  const who = column.provider ?? doctor;
  const chipWords = spokenBy(column, who, lasting);
  const lost = column.parts
    .flatMap((part) => part.chips)
    .find((chip) => chip.key === reached && stateOf(chip) === 'struck');

  // One click listener serves all chips of the column.
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const chip = chips.find(({ key }) => key === keyOf(event.target));
    if (chip && !stateOf(chip)) onPick(chip);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const index = chips.findIndex(({ key }) => key === keyOf(event.target));
    const next = chips[target(keyInReadingOrder(event), index, chips.length)];
    if (!next || index < 0) return;
    event.preventDefault();
    setReached(next.key);
    focusByPress(event.currentTarget.querySelector<HTMLElement>(`[data-slot="${next.key}"]`));
  };

  const itemsOf = (part: DayPart, own: readonly SlotChip[]) => {
    const items = own.map((chip) => (
      <li key={chip.key} data-taken={stateOf(chip)}>
        <button
          type="button"
          className={styles.chip}
          data-slot={chip.key}
          data-acts-on={chip.key}
          data-end={chip.end}
          aria-disabled={stateOf(chip) !== undefined || undefined}
          data-pending={chip.key === pendingKey || undefined}
          tabIndex={chip.key === stop ? 0 : -1}
          aria-label={chipWords(chip, stateOf(chip) !== undefined)}
        >
          {chip.time}
          {lasting && (
            <>
              {' '}
              <span className={styles.end}>{untilWords(chip)}</span>
            </>
          )}
        </button>
      </li>
    ));
    // The stable key keeps this item and the focus in it when the times around it are replaced.
    if (place?.part === part)
      items.splice(
        place.after,
        0,
        <li key="outcome" className={styles.outcome}>
          {outcome}
        </li>,
      );
    return items;
  };

  return (
    <section
      className={styles.column}
      data-current={current}
      role="group"
      aria-labelledby={`${id}-head`}
      aria-describedby={describedBy}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={(event) => setReached(keyOf(event.target))}
    >
      <h2 className={styles.head} id={`${id}-head`} data-of={column.provider ? 'provider' : 'date'}>
        {columnHead(column)}
      </h2>
      {column.count === 0 && <p className={styles.none}>{t('booking.noTimes')}</p>}
      {column.parts.map(({ part, chips: own }) => (
        <div key={part} className={styles.part}>
          <h3 className={styles.partName}>{t(`booking.${part}`)}</h3>
          <ul className={styles.chips}>{itemsOf(part, own)}</ul>
        </div>
      ))}
      <VisuallyHidden>
        <span role="status">{lost && chipWords(lost, true)}</span>
      </VisuallyHidden>
    </section>
  );
});

/** The key of the chip at which an event occurred, or null. */
function keyOf(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest<HTMLElement>('[data-slot]')?.dataset.slot ?? null;
}

/** Builds each chip's accessible name; free chips differ only in the time, so the rest is formatted once. */
function spokenBy({ date }: Column, who: Doctor | null, lasting: AppointmentType | null) {
  const rest = { day: formatDay(locale(), date), provider: who ? doctorName(who) : '' };
  const free = t('booking.chip', { time: '{time}', ...rest });
  return (chip: SlotChip, isTaken: boolean) => {
    const time = lasting ? lastingWords(chip, lasting) : chip.time;
    return isTaken ? t('booking.chipTaken', { time, ...rest }) : free.replace('{time}', time);
  };
}

const untilWords = ({ end }: SlotChip) => t('booking.chipEnd', { end: formatTime(end) });

/** '13:00 to 13:10, 10 minutes, By phone', which begins with the text visible on the chip. */
function lastingWords(chip: SlotChip, type: AppointmentType): string {
  const said = {
    time: chip.time,
    end: untilWords(chip),
    length: minutesWords((chip.end - chip.start) / 60),
  };
  return type.mode === 'inPerson'
    ? t('booking.chipLasting', said)
    : t('booking.chipLastingBy', { ...said, mode: modeWords(type.mode) });
}

function target(key: string, index: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(index + 1, count - 1);
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
