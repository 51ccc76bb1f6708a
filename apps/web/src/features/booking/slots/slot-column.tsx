import { doctorName, formatDay } from '@clinic/domain';
import type { Doctor } from '@clinic/domain';
import { memo, useId, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { t } from '../../../messages/t.ts';
import type { TakenChips } from './live-slots.ts';
import type { SlotChip, SlotColumn as Column } from './slot-columns.ts';
import styles from './slot-grid.module.css';
import { providerHead } from '../words.ts';

interface SlotColumnProps {
  column: Column;
  /** Whose times these are, when the head is a date. */
  doctor: Doctor | null;
  /** On phones only one column is drawn. */
  current: boolean;
  /** The chip that is being held, when it stands in this column. */
  pendingKey: string | null;
  /** What somebody else has taken, when some of it stands in this column. */
  taken: TakenChips | null;
  describedBy: string;
  onPick: (chip: SlotChip) => void;
}

function columnHead({ provider, date }: Column): string {
  return provider ? providerHead(provider) : formatDay(date);
}

/**
 * One day or one provider: a sticky head, and the times by part of the day. One stop of the Tab
 * key.
 */
export const SlotColumn = memo(function SlotColumn({
  column,
  doctor,
  current,
  pendingKey,
  taken,
  describedBy,
  onPick,
}: SlotColumnProps) {
  const id = useId();
  const stateOf = ({ key }: SlotChip) => (key === pendingKey ? undefined : taken?.get(key));
  const chips = column.parts
    .flatMap((part) => part.chips)
    .filter((chip) => stateOf(chip) !== 'gone');
  const [reached, setReached] = useState<string | null>(null);
  const stop = chips.some(({ key }) => key === reached) ? reached : chips[0]?.key;
  const who = column.provider ?? doctor;

  // One listener for all chips of the column.
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const chip = chips.find(({ key }) => key === keyOf(event.target));
    if (chip && !stateOf(chip)) onPick(chip);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const index = chips.findIndex(({ key }) => key === keyOf(event.target));
    const next = chips[target(event.key, index, chips.length)];
    if (!next || index < 0) return;
    event.preventDefault();
    setReached(next.key);
    event.currentTarget.querySelector<HTMLElement>(`[data-slot="${next.key}"]`)?.focus();
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
          <ul className={styles.chips}>
            {own.map((chip) => (
              <li key={chip.key} data-taken={stateOf(chip)}>
                <button
                  type="button"
                  className={styles.chip}
                  data-slot={chip.key}
                  aria-disabled={stateOf(chip) !== undefined || undefined}
                  data-pending={chip.key === pendingKey || undefined}
                  tabIndex={chip.key === stop ? 0 : -1}
                  aria-label={spoken(chip, column, who, stateOf(chip) !== undefined)}
                >
                  {chip.time}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
});

/** The key of the chip that an event came from, or null. */
function keyOf(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest<HTMLElement>('[data-slot]')?.dataset.slot ?? null;
}

function spoken(chip: SlotChip, { date }: Column, who: Doctor | null, isTaken: boolean): string {
  return t(isTaken ? 'booking.chipTaken' : 'booking.chip', {
    time: chip.time,
    day: formatDay(date),
    provider: who ? doctorName(who) : '',
  });
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
