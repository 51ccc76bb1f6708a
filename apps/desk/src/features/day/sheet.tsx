import { pageLanguage } from '@clinic/app/language';
import { useStore } from '@clinic/app/store';
import { useClinicMinute } from '@clinic/app/use-clock';
import type { ApiDaySheet } from '@clinic/contract';
import { STEP_SECONDS, formatTime } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { focusByPress } from '@clinic/ui/focus';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { type CSSProperties, type KeyboardEvent, memo, useDeferredValue, useId } from 'react';
import { Link, useLocation } from 'wouter';
import type { Place } from '../../shared/booking/booking-data.ts';
import { pressUndo } from '../../shared/undo.ts';
import { t } from '../../shared/words.ts';
import styles from './day.module.css';
import type { Density } from './density.ts';
import { type Landing, useDrag } from './drag.ts';
import { Entry, FreePlace, NotOpen, inSteps } from './line-parts.tsx';
import { type Line, type SheetColumn, linesOf } from './lines.ts';

/** Arrived, in the room, move, fee, did not come. */
const ENTRY_KEYS = ['a', 'r', 'm', 'f', 'n'] as const;
export type EntryKey = (typeof ENTRY_KEYS)[number];

interface SheetProps {
  /** What it is, for who hears it. */
  label: string;
  /** Not none; all are equally long. */
  columns: readonly SheetColumn[];
  types: ApiDaySheet['types'];
  density: Density;
  openId: string | null;
  /** The code of the type beside which the others are dimmed. */
  onlyType: string | undefined;
  /** The present minute. */
  now: number;
  onOpen: (id: string) => void;
  /** Asks to move an appointment to where it was dropped. */
  onMove: (id: string, to: Place) => void;
  /** A key that was pressed on an appointment. */
  onKey: (key: EntryKey, id: string) => void;
  onHelp: () => void;
  /** Asks whom to book at a free place; absent where nobody may be booked. */
  onBook?: ((at: Place) => void) | undefined;
}

const RULED_SECONDS = 1_800;
/** Minimum width of a column, in pixels. */
const WIDTHS = { comfortable: 264, working: 172, compact: 172 };
/** Height of five minutes in pixels where a line of text, and a finger, fit in them. */
const COMFORTABLE_STEP = 28;
/** The least height of an entry. */
const LINE = 24;
/** Half hours are named beside the sheet: no closer than a line. */
const LEAST_STEP = 4;

/** Height of five minutes in pixels: in 'working' the day's shortest appointment is one line high. */
function stepOf(density: Density, columns: readonly SheetColumn[]): number {
  if (density === 'comfortable') return COMFORTABLE_STEP;
  const lengths = columns.flatMap(({ provider }) =>
    provider.appointments.map(({ start, end }) => end - start),
  );
  const shortest = Math.min(...lengths) / STEP_SECONDS;
  return Number.isFinite(shortest) ? Math.max(LEAST_STEP, LINE / shortest) : LINE;
}

/** Appointments by provider, or by day: to the scale of the hours, or as lists. */
export function Sheet({
  label,
  columns: all,
  types,
  density,
  openId,
  onlyType,
  now,
  onOpen,
  onMove,
  onKey,
  onHelp,
  onBook,
}: SheetProps) {
  const keysId = useId();
  const isList = density === 'compact';
  const step = stepOf(density, all);
  const [, goTo] = useLocation();
  const hours = all[0] ?? { start: 0, end: 0 };
  const { draggedId, landing, handlers } = useDrag({
    columns: all,
    step: isList ? null : step,
    onDrop: onMove,
  });
  const ruled = Array.from(
    { length: Math.ceil((hours.end - hours.start) / RULED_SECONDS) },
    (_, at) => hours.start + at * RULED_SECONDS,
  );
  // Draws the visible columns first, today's, and the one that Tab comes to, so that nobody waits for a thousand
  // appointments out of sight.
  const columns = useDeferredValue(all.length, Math.ceil(innerWidth / WIDTHS[density]));
  const first = all.flatMap(({ provider }) => provider.appointments)[0]?.id;
  const entered = openId ?? first;
  // By whole steps of these hours, so that no column is drawn anew for a minute, or for what lies outside.
  const upcoming = Math.ceil(now / STEP_SECONDS) * STEP_SECONDS;
  /** To where the name of the column leads that something is in. */
  const leaveBy = (inside: Element) => {
    const columnId = inside.closest<HTMLElement>('[data-column]')?.dataset.column;
    const column = all.find(({ id }) => id === columnId);
    if (column) goTo(column.href);
  };
  return (
    <div
      ref={scrollToNow}
      className={classNames(
        styles.sheet,
        styles[density],
        isList ? styles.lists : styles.scale,
        draggedId !== null && styles.dragging,
      )}
      style={{ ...inSteps(hours, hours.start), '--step': `${step}px` } as CSSProperties}
      role="group"
      aria-label={label}
      aria-describedby={keysId}
      onKeyDown={(event) => {
        const entry = (event.target as Element).closest<HTMLElement>('[data-entry]')?.dataset.entry;
        const key = ENTRY_KEYS.find((each) => isKey(event, each));
        if (key && entry !== undefined) onKey(key, entry);
        else if (isKey(event, 'z')) pressUndo();
        else if (isKey(event, '?')) onHelp();
        else if (isKey(event, 'w')) leaveBy(event.target as Element);
        else moveByArrows(event);
      }}
      {...handlers}
    >
      <p id={keysId} hidden>
        {t('desk.sheetKeys')}
      </p>
      {!isList && (
        <div className={styles.ruler} aria-hidden="true">
          <div className={styles.name} />
          <div className={styles.lane}>
            {ruled.map((at) => (
              <span
                key={at}
                className={styles.hour}
                style={inSteps({ start: at, end: at }, hours.start)}
              >
                {formatTime(at)}
              </span>
            ))}
          </div>
        </div>
      )}
      {all.map(({ id: columnId, name, href, leadsTo, start, end, isMarked, provider }, at) => {
        const shown = (id: string | null | undefined) =>
          provider.appointments.some((each) => each.id === id) ? (id ?? null) : null;
        return (
          <Column
            key={columnId}
            id={columnId}
            name={name}
            href={href}
            leadsTo={leadsTo}
            isMarked={isMarked}
            provider={provider}
            types={types}
            from={start}
            to={end}
            onlyType={onlyType}
            isDrawn={at < columns || isMarked === true || shown(entered) !== null}
            openId={shown(openId)}
            enteredId={shown(entered)}
            isFreeEntered={entered === undefined}
            draggedId={shown(draggedId)}
            landing={landing?.columnId === columnId ? landing : null}
            freeFrom={Math.min(Math.max(upcoming, start), end)}
            hasNow={now >= start && now <= end}
            isList={isList}
            onOpen={onOpen}
            onBook={onBook}
          />
        );
      })}
    </div>
  );
}

interface ColumnProps extends Pick<SheetColumn, 'id' | 'name' | 'href' | 'leadsTo' | 'isMarked'> {
  provider: ApiDaySheet['providers'][number];
  types: ApiDaySheet['types'];
  onlyType: string | undefined;
  /** Start and end of the sheet. */
  from: number;
  to: number;
  /** False until the column is drawn: before, it has only its space and name. */
  isDrawn: boolean;
  /** These ids are set only for appointments of this column, else null. */
  openId: string | null;
  enteredId: string | null;
  draggedId: string | null;
  /** Where the dragged appointment would land, if in this column. */
  landing: Landing | null;
  /** Tab reaches a free place where there is no appointment. */
  isFreeEntered: boolean;
  /** What is over is not free. */
  freeFrom: number;
  /** The present is in it. */
  hasNow: boolean;
  isList: boolean;
  onOpen: (id: string) => void;
  onBook: SheetProps['onBook'];
}

/** Memoized, so that changes elsewhere on the sheet do not redraw the column. */
const Column = memo((props: ColumnProps) => {
  // A change of language changes no other prop.
  useStore(pageLanguage);
  const { provider, types, from, isDrawn, openId, enteredId, draggedId, landing, onOpen } = props;
  const { freeFrom, isFreeEntered, hasNow, isList, isMarked, onBook, onlyType, name } = props;
  const { lateMinutes: late } = provider;
  const lines = isDrawn ? linesOf(provider, props) : [];
  const firstFree = lines.find((line) => line.kind === 'free' && !line.isOver);
  const next = hasNow ? lines.findIndex(({ start }) => start >= freeFrom) : -1;
  const inside = (line: Line) => {
    if (line.kind === 'appointment')
      return (
        <Entry
          appointment={line.appointment}
          types={types}
          isDimmed={onlyType !== undefined && onlyType !== line.appointment.type}
          isOpen={line.appointment.id === openId}
          isEntered={line.appointment.id === enteredId}
          isDragged={line.appointment.id === draggedId}
          onOpen={onOpen}
        />
      );
    if (line.kind === 'free')
      return (
        <FreePlace
          line={line}
          provider={provider}
          types={types}
          isEntered={isFreeEntered && line === firstFree}
          onBook={line.isOver ? undefined : onBook}
        />
      );
    return <NotOpen line={line} />;
  };
  return (
    <section className={styles.column} aria-label={name} data-column={props.id} data-from={from}>
      <h2 className={styles.name}>
        <Link
          href={props.href}
          title={props.leadsTo}
          tabIndex={-1}
          aria-current={isMarked ? 'date' : undefined}
        >
          {name}
        </Link>{' '}
        {late !== undefined && <small>{t('desk.runsLate', { n: late })}</small>}
      </h2>
      <div className={styles.lane} data-lane="">
        {isDrawn && provider.appointments.length === 0 && (
          <VisuallyHidden>{t('desk.noProvider')}</VisuallyHidden>
        )}
        <ol className={styles.list}>
          {lines.map((line, at) => (
            <li
              key={line.kind === 'appointment' ? line.appointment.id : `${line.kind} ${line.start}`}
              className={classNames(styles.line, styles[line.kind], at === next && styles.next)}
              style={inSteps(line, from)}
            >
              {inside(line)}
            </li>
          ))}
        </ol>
        {landing && (
          <p
            className={classNames(
              styles.landing,
              (landing.is === 'taken' || landing.is === 'past') && styles.refused,
            )}
            style={inSteps(landing, from)}
          >
            {t(`desk.drag.${landing.is}`, {
              from: formatTime(landing.start),
              to: formatTime(landing.end),
              provider: provider.name,
            })}
          </p>
        )}
        {hasNow && !isList && <Now from={from} />}
      </div>
    </section>
  );
});

/** The present, which draws nothing but itself anew as it goes on. */
function Now({ from }: { from: number }) {
  const now = useClinicMinute();
  return <div className={styles.now} style={inSteps({ start: now, end: now }, from)} data-now="" />;
}

const isKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, wanted: string) =>
  key.toLowerCase() === wanted && !ctrlKey && !metaKey && !altKey;

const startOf = (button: HTMLElement) => Number(button.dataset.start);
/** At which the column begins. */
const hourOf = (column?: HTMLElement) => Number(column?.dataset.from);

/** Arrow keys: up and down in a column; left and right to the nearest time in the next non-empty column. */
function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const from = (event.target as Element).closest<HTMLElement>('button[data-start]');
  if (from === null) return;
  const columns = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]:has(button[data-start])'),
  ];
  const at = columns.findIndex((column) => column.contains(from));
  const timesOf = (column: Element | undefined) =>
    [...(column?.querySelectorAll<HTMLElement>('button[data-start]') ?? [])].toSorted(
      (one, other) => startOf(one) - startOf(other),
    );
  const times = timesOf(columns[at]);
  const row = times.indexOf(from);
  const beside = (by: number) => {
    const next = columns[at + by];
    // Of day and day the hours count.
    const later = hourOf(next) - hourOf(columns[at]);
    const away = (button: HTMLElement) => Math.abs(startOf(button) - startOf(from) - later);
    return timesOf(next).toSorted((one, other) => away(one) - away(other))[0];
  };
  const to = {
    ArrowUp: times[row - 1],
    ArrowDown: times[row + 1],
    ArrowLeft: beside(-1),
    ArrowRight: beside(1),
    Home: times[0],
    End: times.at(-1),
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  focusByPress(to);
}

/** Scrolls once, when the sheet appears: later changes must not move what staff look at. */
function scrollToNow(sheet: HTMLElement | null) {
  const line = sheet?.querySelector<HTMLElement>(`[data-now], .${styles.next}`);
  const column = line?.closest<HTMLElement>('[data-column]');
  if (!sheet || !line || !column) return;
  sheet.scrollTop = Math.max(0, line.offsetTop - sheet.clientHeight / 3);
  sheet.scrollLeft = Math.max(0, column.offsetLeft + column.offsetWidth - sheet.clientWidth);
}
