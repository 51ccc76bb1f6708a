import { formatDay, shortName } from '@clinic/domain';
import type { Doctor } from '@clinic/domain';
import { DayStrip, type StripItem } from '@clinic/ui/day-strip';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useId, useState } from 'react';
import { t } from '../../../messages/t.ts';
import type { TakenChips } from './live-slots.ts';
import { SlotColumn } from './slot-column.tsx';
import type { SlotChip, SlotColumn as Column } from './slot-columns.ts';
import styles from './slot-grid.module.css';

interface SlotGridProps {
  columns: readonly Column[];
  /** Whose times these are, when the columns are dates. */
  doctor: Doctor | null;
  pendingKey: string | null;
  /** What somebody else has taken meanwhile. */
  taken: TakenChips;
  /** Stable, or every column is drawn again with its parent. */
  onPick: (chip: SlotChip) => void;
}

/** The free times in columns; on phones one column at a time, with a strip to switch. */
export function SlotGrid({ columns, doctor, pendingKey, taken, onPick }: SlotGridProps) {
  const hint = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const first = columns.find(({ count }) => count > 0)?.key ?? null;
  const current = columns.some(({ key, count }) => key === asked && count > 0) ? asked : first;

  return (
    <div className={styles.grid}>
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
            current={column.key === current}
            taken={
              column.parts.some(({ chips }) => chips.some(({ key }) => taken.has(key)))
                ? taken
                : null
            }
            pendingKey={pendingKey !== null && holds(column, pendingKey) ? pendingKey : null}
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
  const day = formatDay(date);
  return {
    id: key,
    label: provider ? shortName(provider) : `${day.slice(0, 3)} ${Number(day.slice(8))}`,
    detail: t('booking.columnCount', { count }),
    more: t('booking.columnMore', { count }),
    disabled: count === 0,
  };
}
