import type { CallAnswer } from '@clinic/contract';
import { NOT_WORKING } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { focusByPress } from '@clinic/ui/focus';
import { SelectField } from '@clinic/ui/select-field';
import { type KeyboardEvent as KeyPress, type ReactNode, useEffect, useState } from 'react';
import office from '../../shared/office.module.css';
import { t } from '../../shared/words.ts';
import page from './schedule.module.css';
import styles from './week.module.css';

/** A row is 15 minutes; differing 5-minute steps within it remain until the row is painted. */
const STEPS_PER_ROW = 3;
const ROWS = 96;
/** The rows from 07:00 to 20:00 are always shown. */
const FIRST_ROW = 28;
const LAST_ROW = 80;

interface Place {
  readonly row: number;
  readonly column: number;
}

/** A day of the grid. */
export interface GridDay {
  readonly name: string;
  /** 288 codes, one for each 5 minutes. */
  readonly codes: string;
}

interface WeekGridProps {
  label: string;
  days: readonly GridDay[];
  /** The code that Space, Enter and the pointer paint. */
  brush: string;
  /** The codes that can be typed. */
  codes: readonly string[];
  /** Null for a read-only grid. */
  onPaint: ((codes: string[]) => void) | null;
}

/** The hours of a day in words, such as '09:00–12:00 O, 13:00–17:00 P'. */
export function hoursText(codes: string): string {
  const spans = Array.from(codes.matchAll(/([^_])\1*/g), (found) => {
    const time = (step: number) =>
      `${String(Math.floor(step / 12)).padStart(2, '0')}:${String((step % 12) * 5).padStart(2, '0')}`;
    return `${time(found.index)}–${time(found.index + found[0].length)} ${found[1]}`;
  });
  return spans.join(', ') || '–';
}

/** Days painted with slot codes: by pointer, or with arrows, Shift and the code's key. */
function WeekGrid({ label, days, brush, codes, onPaint }: WeekGridProps) {
  const [at, setAt] = useState<Place>({ row: 36, column: 0 });
  const [anchor, setAnchor] = useState<Place | null>(null);
  // The main button went down in the grid, and paints where it is lifted.
  const [isDrawing, setDrawing] = useState(false);
  // A stroke ends also outside of the grid.
  useEffect(() => {
    if (!isDrawing) return undefined;
    const giveUp = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      setDrawing(false);
    };
    const ends = ['pointerup', 'pointercancel', 'keydown', 'blur'];
    for (const type of ends) addEventListener(type, giveUp);
    return () => {
      for (const type of ends) removeEventListener(type, giveUp);
    };
  }, [isDrawing]);
  const rows = shownRows(days);
  const from = anchor ?? at;
  const isChosen = (row: number, column: number) =>
    isBetween(row, from.row, at.row) && isBetween(column, from.column, at.column);

  function paint(code: string, to: Place = at) {
    if (onPaint === null) return;
    const painted = days.map((day, column) => {
      if (!isBetween(column, from.column, to.column)) return day.codes;
      return Array.from(day.codes, (before, step) =>
        isBetween(Math.floor(step / STEPS_PER_ROW), from.row, to.row) ? code : before,
      ).join('');
    });
    if (painted.some((codes, column) => codes !== days[column]?.codes)) onPaint(painted);
  }

  function goTo(place: Place, isMore: boolean) {
    setAnchor(isMore ? from : null);
    setAt(place);
    focusByPress(document.getElementById(placeId(place)));
  }

  function onKeyDown(event: KeyPress) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const [first = 0, last = 0] = [rows[0], rows.at(-1)];
    const to = {
      ArrowUp: { ...at, row: Math.max(first, at.row - 1) },
      ArrowDown: { ...at, row: Math.min(last, at.row + 1) },
      ArrowLeft: { ...at, column: Math.max(0, at.column - 1) },
      ArrowRight: { ...at, column: Math.min(days.length - 1, at.column + 1) },
      Home: { ...at, row: first },
      End: { ...at, row: last },
      PageUp: { ...at, row: Math.max(first, at.row - 4) },
      PageDown: { ...at, row: Math.min(last, at.row + 4) },
    }[key];
    const typed =
      codes.find((code) => code === key) ?? codes.find((code) => code === key.toUpperCase());
    if (to) goTo(to, shiftKey);
    // A held key goes on, and paints once.
    else if (event.repeat) return;
    else if (key === ' ' || key === 'Enter') paint(brush);
    else if (key === 'Delete' || key === 'Backspace') paint(NOT_WORKING);
    else if (typed !== undefined) paint(typed);
    else return;
    event.preventDefault();
  }

  return (
    <div className={styles.scroll}>
      <table
        className={styles.grid}
        role="grid"
        aria-label={label}
        aria-readonly={onPaint === null}
        aria-multiselectable
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col">{t('desk.time')}</th>
            {days.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row} className={row % 4 === 0 ? styles.hour : undefined}>
              <th scope="row">{row % 4 === 0 ? timeOf(row) : <span>{timeOf(row)}</span>}</th>
              {days.map(({ name, codes: ofDay }, column) => {
                const shown = shownCodes(ofDay, row);
                const isAt = at.row === row && at.column === column;
                return (
                  <td
                    key={name}
                    id={placeId({ row, column })}
                    aria-label={t('desk.week.quarter', {
                      day: name,
                      time: timeOf(row),
                      code: shown === '' ? t('desk.week.noWork') : shown,
                    })}
                    aria-selected={isChosen(row, column)}
                    tabIndex={isAt ? 0 : -1}
                    className={classNames(
                      styles.quarter,
                      shown !== '' && styles.works,
                      isChosen(row, column) && styles.chosen,
                    )}
                    onPointerDown={(event) => {
                      setDrawing(event.button === 0);
                      if (event.button === 0) goTo({ row, column }, event.shiftKey);
                    }}
                    onPointerEnter={(event) => {
                      if (isDrawing && event.buttons === 1) goTo({ row, column }, true);
                    }}
                    onPointerUp={(event) => {
                      if (isDrawing && event.button === 0) paint(brush, { row, column });
                    }}
                  >
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const placeId = ({ row, column }: Place) => `week-${row}-${column}`;

const isBetween = (at: number, one: number, other: number) =>
  at >= Math.min(one, other) && at <= Math.max(one, other);

const timeOf = (row: number) =>
  `${String(Math.floor(row / 4)).padStart(2, '0')}:${String((row % 4) * 15).padStart(2, '0')}`;

/** The code of a 15-minute row, or all of its codes: 'O P', '_ O'. */
function shownCodes(day: string, row: number): string {
  const own = day.slice(row * STEPS_PER_ROW, (row + 1) * STEPS_PER_ROW);
  const all = [...new Set(own)];
  return all.length === 1 && all[0] === NOT_WORKING ? '' : all.join(' ');
}

function shownRows(days: readonly GridDay[]): number[] {
  const works = Array.from({ length: ROWS }, (_, row) => row).filter((row) =>
    days.some((day) => shownCodes(day.codes, row) !== ''),
  );
  const first = Math.min(FIRST_ROW, works[0] ?? FIRST_ROW);
  const last = Math.max(LAST_ROW - 1, works.at(-1) ?? 0);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

type Codes = CallAnswer<'deskWeek'>['extras']['codes'];

interface PaintingProps extends Pick<WeekGridProps, 'label' | 'days' | 'onPaint'> {
  codes: Codes;
  /** Fields beside the choice of the code. */
  children?: ReactNode;
}

/** A grid with the legend of its codes and, where it can be painted, the choice of the code. */
export function Painting({ codes, children, ...grid }: PaintingProps) {
  const [brush, setBrush] = useState(codes[0]?.code ?? NOT_WORKING);
  return (
    <>
      <ul className={styles.legend} aria-label={t('desk.week.codes')}>
        {codes.map(({ code, description, types }) => (
          <li key={code}>
            <strong>{code}</strong> {description} ({types.join(', ')})
          </li>
        ))}
      </ul>
      {grid.onPaint && (
        <>
          <p className={office.about}>{t('desk.week.keys')}</p>
          <div className={page.fields}>
            <SelectField
              label={t('desk.week.brush')}
              options={[
                ...codes.map(({ code, description }) => ({
                  value: code,
                  label: `${code} ${description}`,
                })),
                { value: NOT_WORKING, label: t('desk.week.noWork') },
              ]}
              value={brush}
              onChange={setBrush}
            />
            {children}
          </div>
        </>
      )}
      <WeekGrid {...grid} brush={brush} codes={codes.map(({ code }) => code)} />
    </>
  );
}
