import { clinicNow } from '@clinic/app/clock';
import { pathTo } from '@clinic/app/path-to';
import { useClinicMinute } from '@clinic/app/use-clock';
import type { ApiDaySheet, ApiSheetAppointment } from '@clinic/contract';
import { STEP_SECONDS, deskPages, formatTime } from '@clinic/domain';
import { formatChoice } from '@clinic/texts';
import { classNames } from '@clinic/ui/class-names';
import { Check, CheckCheck, DoorOpen, Hourglass, TriangleAlert, X } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { Link } from 'wouter';
import type { Place } from '../../shared/booking/booking-data.ts';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import styles from './day.module.css';
import { TypeSign } from './legend.tsx';
import type { Line, Span } from './lines.ts';
import { feeText, slotOf, statusOf, statusText } from './status.ts';

/** Style values in steps of five minutes, of which the style sheet makes heights. */
export const inSteps = ({ start, end }: Span, from: number) =>
  ({
    '--at': (start - from) / STEP_SECONDS,
    '--long': (end - start) / STEP_SECONDS,
  }) as CSSProperties;

const spanText = (
  key: 'desk.closed' | 'desk.outside' | 'desk.busy' | 'desk.overlap' | 'desk.free' | 'desk.wasFree',
  { start, end }: Span,
) => t(key, { from: formatTime(start), to: formatTime(end) });

/** Closed, outside of the provider's hours, or taken in the EMR alone. */
export function NotOpen({ line }: { line: Exclude<Line, { kind: 'appointment' | 'free' }> }) {
  const may = useMay();
  const words = <span className={styles.says}>{spanText(`desk.${line.kind}`, line)}</span>;
  if (line.kind !== 'closed' || line.closing === undefined || !may('seeSchedule')) return words;
  return <Link href={pathTo(deskPages.closing, { id: line.closing })}>{words}</Link>;
}

interface FreePlaceProps {
  line: Extract<Line, { kind: 'free' }>;
  provider: ApiDaySheet['providers'][number];
  types: ApiDaySheet['types'];
  /** True for the one place that Tab reaches. */
  isEntered: boolean;
  /** Absent where nobody may be booked. */
  onBook?: ((at: Place) => void) | undefined;
}

/** A stretch of free time. It says what a press would book: by key its beginning, by pointer what is beneath it. */
export function FreePlace({ line, provider, types, isEntered, onBook }: FreePlaceProps) {
  const [pointed, setPointed] = useState(line.start);
  const at = pointed >= line.start && pointed < line.end ? pointed : line.start;
  if (!onBook)
    return (
      <span className={styles.says}>
        {spanText(line.isOver ? 'desk.wasFree' : 'desk.free', line)}
      </span>
    );
  const codes = provider.open?.find(({ start, end }) => start <= at && at < end)?.types;
  const named = codes?.map(
    (code) => types?.find((type) => type.code === code)?.description ?? code,
  );
  const what = named?.length === 0 ? t('desk.noType') : named && formatChoice(locale(), named);
  return (
    <button
      type="button"
      className={classNames(styles.entry, styles.place)}
      tabIndex={isEntered ? 0 : -1}
      data-start={line.start}
      data-acts-on={`${provider.id} ${line.start}`}
      onPointerMove={({ currentTarget, clientY }) => {
        const { top, height } = currentTarget.getBoundingClientRect();
        const isLine =
          getComputedStyle(currentTarget.parentElement ?? currentTarget).position === 'static';
        const steps = (line.end - line.start) / STEP_SECONDS;
        const step = isLine || height === 0 ? 0 : Math.floor(((clientY - top) / height) * steps);
        setPointed(line.start + Math.min(Math.max(step, 0), steps - 1) * STEP_SECONDS);
      }}
      onPointerLeave={() => setPointed(line.start)}
      onClick={({ detail }) => {
        // A key books the beginning, wherever the pointer rests.
        onBook({ providerId: provider.id, start: detail === 0 ? line.start : at });
      }}
    >
      <span className={styles.says} style={inSteps({ start: at, end: at }, line.start)}>
        {at === line.start ? spanText('desk.free', line) : t('desk.freeAt', { at: formatTime(at) })}
        <span className={styles.more}>
          , {provider.name}
          {what !== undefined && `, ${what}`}
        </span>
      </span>
    </button>
  );
}

interface EntryProps {
  appointment: ApiSheetAppointment;
  types: ApiDaySheet['types'];
  /** Another type was chosen in the legend. */
  isDimmed: boolean;
  isOpen: boolean;
  /** True for the one entry that Tab reaches. */
  isEntered: boolean;
  isDragged: boolean;
  onOpen: (id: string) => void;
}

export function Entry({ appointment, types, isOpen, isEntered, onOpen, ...is }: EntryProps) {
  const { id, patient, type, start, fee, movesFor, overlap, isFirst, hasAlert } = appointment;
  const { labels = [], otherProvider } = appointment;
  const status = statusOf(appointment);
  const looks = classNames(
    styles.entry,
    styles[status],
    is.isDimmed && styles.dimmed,
    isOpen && styles.open,
    is.isDragged && styles.dragged,
  );
  const slot = slotOf(appointment);
  const says = [
    `${statusText(appointment)} · ${type} ${slot.minutes} min`,
    fee !== 'none' && feeText(appointment),
    overlap && spanText('desk.overlap', overlap),
    hasAlert && t('desk.hasAlert'),
    isFirst && t('desk.isFirst'),
    otherProvider &&
      t('desk.alsoWith', { name: otherProvider.name, time: formatTime(otherProvider.start) }),
    ...labels,
  ].filter(Boolean);
  const Sign = SIGNS[status];
  const mark = markOf(appointment);
  const words = (
    <>
      <span className={styles.start}>{slot.from}</span>{' '}
      <b className={styles.who}>{patient ?? t('desk.hold')}</b>{' '}
      <span className={styles.more}>{says.join(' · ')}</span> {mark && <Mark {...mark} />}
      <span className={styles.signs} aria-hidden="true">
        {hasAlert && <TriangleAlert size={14} className={styles.alert} />}
        {Sign && <Sign size={14} />}
        <TypeSign sign={types?.find(({ code }) => code === type)?.sign} />
        <span className={styles.code}>{type}</span>
      </span>
    </>
  );
  if (patient === null) return <p className={looks}>{words}</p>;
  return (
    <button
      type="button"
      id={`appointment-${id}`}
      className={looks}
      title={`${slot.from} ${patient} ${says.join(' · ')}`}
      tabIndex={isEntered ? 0 : -1}
      aria-expanded={isOpen}
      data-start={start}
      data-entry={id}
      {...(movesFor !== null && { 'data-moves': id, 'aria-keyshortcuts': 'M' })}
      onClick={() => onOpen(id)}
    >
      {words}
    </button>
  );
}

const LATE_FROM = 5;
/** By then it is plain that nobody notes who comes. */
const LATE_UNTIL = 60;
const WAITS_FROM = 1;
/** From how many minutes on waiting is drawn as a caution, and as a danger. */
const WAITS_LONG = 15;
const WAITS_TOO_LONG = 30;

interface MarkProps {
  readonly says: 'late' | 'waits';
  /** Since when. */
  readonly since: number;
}

/** What is counted by the minute: whoever is late, or waits. */
function markOf(of: ApiSheetAppointment): MarkProps | null {
  const { state, attendance, start, arrivedAt, isGone } = of;
  if (isGone === true) return null;
  if (attendance === 'arrived' && arrivedAt) return { says: 'waits', since: arrivedAt };
  const since = clinicNow() - start;
  const mayBeLate = since >= 0 && since <= (LATE_UNTIL + 1) * 60;
  return attendance === 'expected' && state === 'booked' && mayBeLate
    ? { says: 'late', since: start }
    : null;
}

function Mark({ says, since }: MarkProps) {
  const minutes = Math.floor((useClinicMinute() - since) / 60);
  if (says === 'waits' ? minutes < WAITS_FROM : minutes < LATE_FROM || minutes > LATE_UNTIL)
    return null;
  const long = minutes < WAITS_TOO_LONG ? styles.waitsLong : styles.waitsTooLong;
  return (
    <span className={classNames(styles.mark, says === 'waits' && minutes >= WAITS_LONG && long)}>
      <span className={styles.more}>{t(says === 'late' ? 'desk.late' : 'desk.waits')} </span>
      {minutes}
      <span className={styles.more}> {t('desk.min')}</span>
    </span>
  );
}

/** Beside the bar of its colour; whoever is expected has none. */
const SIGNS = {
  expected: null,
  held: Hourglass,
  arrived: Check,
  inRoom: DoorOpen,
  completed: CheckCheck,
  noShow: X,
  goneFromEmr: TriangleAlert,
};
