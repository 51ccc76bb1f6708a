import { clinicNow } from '@clinic/app/clock';
import type { ApiDaySheet, ApiSheetAppointment } from '@clinic/contract';
import { STEP_SECONDS, formatTime } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { focusByPress } from '@clinic/ui/focus';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { type KeyboardEvent, memo, useDeferredValue, useId } from 'react';
import type { Place } from '../../shared/booking/booking-data.ts';
import { pressUndo } from '../../shared/undo.ts';
import { t } from '../../shared/words.ts';
import styles from './day.module.css';
import { type Landing, topOf, useDrag } from './drag.ts';
import { feeText, slotOf, statusOf, statusText } from './status.ts';

interface SheetProps {
  day: ApiDaySheet;
  hours: { readonly start: number; readonly end: number };
  openId: string | null;
  /** Null unless the sheet is today's. */
  now: number | null;
  onOpen: (id: string) => void;
  /** Asks to move an appointment, to where it was dropped or to a time to be chosen. */
  onMove: (id: string, to?: Place) => void;
  /** Asks whom to book at a free place; absent where nobody may be booked. */
  onBook?: ((at: Place) => void) | undefined;
}

const RULED_SECONDS = 1_800;
/** Minimum width of a column, in pixels. */
const COLUMN_WIDTH = 270;

/** The day's appointments, with a column per provider and rows of five minutes. */
export function Sheet({ day, hours, openId, now, onOpen, onMove, onBook }: SheetProps) {
  const keysId = useId();
  const { draggedId, landing, handlers } = useDrag({ day, hours, onDrop: onMove });
  const top = (at: number) => topOf(at, hours.start);
  const height = top(hours.end);
  const ruled = Array.from(
    { length: Math.ceil((hours.end - hours.start) / RULED_SECONDS) },
    (_, at) => hours.start + at * RULED_SECONDS,
  );
  // Draws the visible columns first, so that nobody waits for a thousand appointments out of sight.
  const columns = useDeferredValue(day.providers.length, Math.ceil(innerWidth / COLUMN_WIDTH));
  const first = day.providers.flatMap(({ appointments }) => appointments)[0]?.id;
  const entered = openId ?? first;
  // By whole steps, so that no column is drawn anew for a minute.
  const freeFrom = Math.ceil((now ?? clinicNow()) / STEP_SECONDS) * STEP_SECONDS;
  const isNow = now !== null && now >= hours.start && now <= hours.end;
  return (
    <div
      ref={scrollToNow}
      className={classNames(styles.sheet, draggedId !== null && styles.dragging)}
      role="group"
      aria-label={t('desk.sheet')}
      aria-describedby={keysId}
      onKeyDown={(event) => {
        const entry = (event.target as Element).closest<HTMLElement>('[data-moves]');
        if (entry?.dataset.moves && isKey(event, 'm')) onMove(entry.dataset.moves);
        else if (isKey(event, 'z')) pressUndo();
        else moveByArrows(event);
      }}
      {...handlers}
    >
      <p id={keysId} hidden>
        {t('desk.sheetKeys')}
      </p>
      <div className={styles.ruler} aria-hidden="true">
        <div className={styles.name} />
        <div className={styles.lane} style={{ height }}>
          {ruled.map((at) => (
            <span key={at} className={styles.hour} style={{ top: top(at) }}>
              {formatTime(at)}
            </span>
          ))}
        </div>
      </div>
      {day.providers.map((provider, at) => {
        const shown = (id: string | null | undefined) =>
          provider.appointments.some((each) => each.id === id) ? (id ?? null) : null;
        return (
          <Column
            key={provider.id}
            provider={provider}
            from={hours.start}
            to={hours.end}
            isDrawn={at < columns}
            openId={shown(openId)}
            enteredId={shown(entered)}
            isFreeEntered={entered === undefined}
            draggedId={shown(draggedId)}
            landing={landing?.providerId === provider.id ? landing : null}
            freeFrom={freeFrom}
            onOpen={onOpen}
            onBook={onBook}
          />
        );
      })}
      {isNow && <div className={styles.now} style={{ top: top(now) }} data-now="" />}
    </div>
  );
}

interface ColumnProps {
  provider: ApiDaySheet['providers'][number];
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
  onOpen: (id: string) => void;
  onBook: SheetProps['onBook'];
}

const NOTHING_YET = { appointments: [], closed: [], busy: [] };

/** Memoized, so that changes elsewhere on the sheet do not redraw the column. */
const Column = memo((props: ColumnProps) => {
  const { provider, from, to, isDrawn, openId, enteredId, draggedId, landing, onOpen } = props;
  const { freeFrom, isFreeEntered, onBook } = props;
  const { name, lateMinutes: late } = provider;
  const height = topOf(to, from);
  const { appointments, closed, busy } = isDrawn ? provider : NOTHING_YET;
  const free = isDrawn && onBook ? freeSpans(provider, Math.max(from, freeFrom), to) : [];
  const place = ({ start, end }: { start: number; end: number }) => ({
    top: topOf(start, from),
    height: topOf(end, start),
  });
  return (
    <section className={styles.column} aria-label={name} data-column={provider.id}>
      <h2 className={styles.name}>
        {name} {late !== undefined && <small>{t('desk.runsLate', { n: late })}</small>}
      </h2>
      <div className={styles.lane} style={{ height }} data-lane="">
        {closed.map((span) => (
          <p key={span.start} className={styles.closed} style={place(span)}>
            <VisuallyHidden>{spanText('desk.closed', span)}</VisuallyHidden>
          </p>
        ))}
        {busy.map((span) => (
          <p key={span.start} className={styles.busy} style={place(span)}>
            {spanText('desk.busy', span)}
          </p>
        ))}
        {isDrawn && appointments.length === 0 && (
          <VisuallyHidden>{t('desk.noProvider')}</VisuallyHidden>
        )}
        <ol className={styles.list}>
          {appointments.map((each) => (
            <li key={each.id} className={styles.place} style={place(each)}>
              <Entry
                appointment={each}
                isOpen={each.id === openId}
                isEntered={each.id === enteredId}
                isDragged={each.id === draggedId}
                onOpen={onOpen}
              />
            </li>
          ))}
        </ol>
        {free.map(({ start, end }, at) => (
          <button
            key={start}
            type="button"
            className={classNames(styles.entry, styles.free)}
            style={place({ start, end })}
            tabIndex={isFreeEntered && at === 0 ? 0 : -1}
            data-start={start}
            data-acts-on={`${provider.id} ${start}`}
            onClick={({ detail, nativeEvent: { offsetY } }) => {
              // A pointer says where within it, a key does not.
              const steps = detail === 0 ? 0 : Math.floor(offsetY / topOf(STEP_SECONDS, 0));
              onBook?.({ providerId: provider.id, start: start + steps * STEP_SECONDS });
            }}
          >
            {t('desk.freePlace', { from: formatTime(start), to: formatTime(end), provider: name })}
          </button>
        ))}
        {landing && (
          <p
            className={classNames(
              styles.landing,
              (landing.is === 'taken' || landing.is === 'past') && styles.refused,
            )}
            style={place(landing)}
          >
            {t(`desk.drag.${landing.is}`, {
              from: formatTime(landing.start),
              to: formatTime(landing.end),
              provider: name,
            })}
          </p>
        )}
      </div>
    </section>
  );
});

/** What is neither closed nor taken. */
function freeSpans(
  { appointments, closed, busy }: ColumnProps['provider'],
  from: number,
  to: number,
) {
  const taken = [...appointments, ...closed, ...busy].toSorted(
    (one, other) => one.start - other.start,
  );
  const free: { start: number; end: number }[] = [];
  let start = from;
  for (const span of [...taken, { start: to, end: to }]) {
    if (span.start > start) free.push({ start, end: Math.min(span.start, to) });
    start = Math.max(start, span.end);
  }
  return free.filter(({ end, start: begin }) => end > begin);
}

const spanText = (
  key: 'desk.closed' | 'desk.busy' | 'desk.overlap',
  { start, end }: { start: number; end: number },
) => t(key, { from: formatTime(start), to: formatTime(end) });

interface EntryProps {
  appointment: ApiSheetAppointment;
  isOpen: boolean;
  /** True for the one entry that Tab reaches. */
  isEntered: boolean;
  isDragged: boolean;
  onOpen: (id: string) => void;
}

function Entry({ appointment, isOpen, isEntered, isDragged, onOpen }: EntryProps) {
  const { id, patient, type, start, fee, movesFor, overlap } = appointment;
  const looks = classNames(
    styles.entry,
    styles[statusOf(appointment)],
    isOpen && styles.open,
    isDragged && styles.dragged,
  );
  const slot = slotOf(appointment);
  const words = (
    <>
      <span className={styles.start}>{slot.from}</span> <b>{patient ?? t('desk.hold')}</b>{' '}
      <span>
        {statusText(appointment)} · {type} {slot.minutes} min
        {fee !== 'none' && ` · ${feeText(appointment)}`}
        {overlap && ` · ${spanText('desk.overlap', overlap)}`}
      </span>
    </>
  );
  if (patient === null) return <p className={looks}>{words}</p>;
  return (
    <button
      type="button"
      id={`appointment-${id}`}
      className={looks}
      tabIndex={isEntered ? 0 : -1}
      aria-expanded={isOpen}
      data-start={start}
      {...(movesFor !== null && { 'data-moves': id, 'aria-keyshortcuts': 'M' })}
      onClick={() => onOpen(id)}
    >
      {words}
    </button>
  );
}

const isKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, wanted: string) =>
  key.toLowerCase() === wanted && !ctrlKey && !metaKey && !altKey;

const startOf = (button: HTMLElement) => Number(button.dataset.start);

/** Arrow keys: up and down in a column; left and right to the nearest time in the next non-empty column. */
function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const from = (event.target as Element).closest<HTMLElement>('button[data-start]');
  if (from === null) return;
  const columns = [...event.currentTarget.querySelectorAll('[data-column]')]
    .map((column) =>
      [...column.querySelectorAll<HTMLElement>('button[data-start]')].toSorted(
        (one, other) => startOf(one) - startOf(other),
      ),
    )
    .filter((buttons) => buttons.length > 0);
  const column = columns.findIndex((buttons) => buttons.includes(from));
  const row = columns[column]?.indexOf(from) ?? 0;
  const beside = (by: number) => {
    const away = (button: HTMLElement) => Math.abs(startOf(button) - startOf(from));
    return columns[column + by]?.toSorted((one, other) => away(one) - away(other))[0];
  };
  const to = {
    ArrowUp: columns[column]?.[row - 1],
    ArrowDown: columns[column]?.[row + 1],
    ArrowLeft: beside(-1),
    ArrowRight: beside(1),
    Home: columns[column]?.[0],
    End: columns[column]?.at(-1),
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  focusByPress(to);
}

/** Scrolls once, when the sheet appears: later changes must not move what staff look at. */
function scrollToNow(sheet: HTMLElement | null) {
  const line = sheet?.querySelector<HTMLElement>('[data-now]');
  if (sheet && line) sheet.scrollTop = Math.max(0, line.offsetTop - sheet.clientHeight / 3);
}
