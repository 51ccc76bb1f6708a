import type { ApiDaySheet, ApiSheetAppointment } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { type KeyboardEvent, memo, useId } from 'react';
import { t } from '../words.ts';
import styles from './day.module.css';
import { feeText, statusOf, statusText } from './status.ts';

interface SheetProps {
  day: ApiDaySheet;
  hours: { readonly start: number; readonly end: number };
  openId: string | null;
  /** Null on another day than today. */
  now: number | null;
  onOpen: (id: string) => void;
}

const STEP_SECONDS = 300;
/** One step of five minutes: room for a line, and for a finger. */
const STEP_HEIGHT = 28;
const RULED_SECONDS = 1_800;

const topOf = (at: number, from: number) => ((at - from) / STEP_SECONDS) * STEP_HEIGHT;

/** A column a provider over one ruler of five minutes. */
export function Sheet({ day, hours, openId, now, onOpen }: SheetProps) {
  const keysId = useId();
  const top = (at: number) => topOf(at, hours.start);
  const height = top(hours.end);
  const ruled = Array.from(
    { length: Math.ceil((hours.end - hours.start) / RULED_SECONDS) },
    (_, at) => hours.start + at * RULED_SECONDS,
  );
  const first = day.providers.flatMap(({ appointments }) => appointments)[0]?.id;
  const entered = openId ?? first;
  const isNow = now !== null && now >= hours.start && now <= hours.end;
  return (
    <div
      ref={scrollToNow}
      className={styles.sheet}
      role="group"
      aria-label={t('desk.sheet')}
      aria-describedby={keysId}
      onKeyDown={moveByArrows}
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
      {day.providers.map((provider) => {
        const shown = (id: string | null | undefined) =>
          provider.appointments.some((each) => each.id === id) ? (id ?? null) : null;
        return (
          <Column
            key={provider.id}
            provider={provider}
            from={hours.start}
            height={height}
            openId={shown(openId)}
            enteredId={shown(entered)}
            onOpen={onOpen}
          />
        );
      })}
      {isNow && <div className={styles.now} style={{ top: top(now) }} data-now="" />}
    </div>
  );
}

interface ColumnProps {
  provider: ApiDaySheet['providers'][number];
  /** When the sheet begins. */
  from: number;
  height: number;
  /** Of the appointments of this column; null of any other. */
  openId: string | null;
  enteredId: string | null;
  onOpen: (id: string) => void;
}

/** What changes elsewhere on the sheet does not draw it anew. */
const Column = memo(({ provider, from, height, openId, enteredId, onOpen }: ColumnProps) => {
  const { name, appointments, closed, busy } = provider;
  const place = ({ start, end }: { start: number; end: number }) => ({
    top: topOf(start, from),
    height: topOf(end, start),
  });
  return (
    <section className={styles.column} aria-label={name} data-column="">
      <h2 className={styles.name}>{name}</h2>
      <div className={styles.lane} style={{ height }}>
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
        {appointments.length === 0 && <VisuallyHidden>{t('desk.noProvider')}</VisuallyHidden>}
        <ol className={styles.list}>
          {appointments.map((each) => (
            <li key={each.id} className={styles.place} style={place(each)}>
              <Entry
                appointment={each}
                isOpen={each.id === openId}
                isEntered={each.id === enteredId}
                onOpen={onOpen}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
});

const spanText = (
  key: 'desk.closed' | 'desk.busy',
  { start, end }: { start: number; end: number },
) => t(key, { from: formatTime(start), to: formatTime(end) });

interface EntryProps {
  appointment: ApiSheetAppointment;
  isOpen: boolean;
  /** The one that Tab comes to. */
  isEntered: boolean;
  onOpen: (id: string) => void;
}

function Entry({ appointment, isOpen, isEntered, onOpen }: EntryProps) {
  const { id, patient, type, start, end, fee } = appointment;
  const looks = classNames(styles.entry, styles[statusOf(appointment)], isOpen && styles.open);
  const slot = {
    from: formatTime(start),
    to: formatTime(end),
    minutes: Math.round((end - start) / 60),
  };
  const words = (
    <>
      <span className={styles.start}>{slot.from}</span>{' '}
      <b className={styles.who}>{patient ?? t('desk.hold')}</b>{' '}
      <span className={styles.what}>
        {statusText(appointment)} · {type} {slot.minutes} min
        {fee !== 'none' && ` · ${feeText(appointment)}`}
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
      onClick={() => onOpen(id)}
    >
      {words}
    </button>
  );
}

/** Up and down within a column, left and right to the nearest in time in the next column with appointments. */
function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const from = (event.target as Element).closest<HTMLElement>('button[data-start]');
  if (from === null) return;
  const columns = [...event.currentTarget.querySelectorAll('[data-column]')]
    .map((column) => [...column.querySelectorAll<HTMLElement>('button[data-start]')])
    .filter((buttons) => buttons.length > 0);
  const column = columns.findIndex((buttons) => buttons.includes(from));
  const row = columns[column]?.indexOf(from) ?? 0;
  const beside = (by: number) => {
    const startOf = (button: HTMLElement) => Number(button.dataset.start);
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
  to.focus();
}

/** Once, when the sheet comes: a change must not move what somebody looks at. */
function scrollToNow(sheet: HTMLElement | null) {
  const line = sheet?.querySelector<HTMLElement>('[data-now]');
  if (sheet && line) sheet.scrollTop = Math.max(0, line.offsetTop - sheet.clientHeight / 3);
}
