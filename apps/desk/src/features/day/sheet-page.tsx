import { LoadState } from '@clinic/app/outcome';
import { useClinicMinute } from '@clinic/app/use-clock';
import type { ApiDaySheet, ApiSheetAppointment } from '@clinic/contract';
import { type Attendance, formatTime } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { focusByPress, focusIfLost } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { EmptyState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { SHEETS, type SheetQuery, ask } from '../../shared/api.ts';
import { AtFoot } from '../../shared/at-foot.tsx';
import { CANCELLING, type Place } from '../../shared/booking/booking-data.ts';
import type { BookDialogProps } from '../../shared/booking/book-dialog.tsx';
import { BookDialog, MoveDialog } from '../../shared/booking/dialogs.tsx';
import { DayField } from '../../shared/day-field.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import { t } from '../../shared/words.ts';
import styles from './day.module.css';
import { DENSITIES, chooseDensity, useDensity } from './density.ts';
import { Legend } from './legend.tsx';
import type { SheetColumn } from './lines.ts';
import { AppointmentPanel, KeysHelp } from './parts-later.tsx';
import { type EntryKey, Sheet } from './sheet.tsx';

interface Note {
  readonly id: string;
  readonly to: Attendance;
  /** What the sheet showed when the key was pressed. */
  readonly from: Attendance;
}

/** What a key notes. */
const NOTES: Partial<Record<EntryKey, Attendance>> = { a: 'arrived', r: 'inRoom', n: 'noShow' };

export type Booked = Omit<BookDialogProps, 'onClose'>;
export type BookBy = ((of: Booked) => void) | undefined;

interface Step {
  readonly name: string;
  readonly to: string;
}

interface SheetPageProps {
  title: string;
  /** What the sheet is, for who hears it. */
  label: string;
  query: SheetQuery;
  /** Those that are shown; none where nobody works. */
  columns: readonly SheetColumn[];
  /** Said where nobody works. */
  empty: string;
  /** Before, at, and after the present. */
  steps: readonly [before: Step, present: Step, after: Step];
  date: string;
  onDate: (date: string) => void;
  /** What is beside the steps. It gets what begins a booking; nothing where nobody may be booked. */
  children?: (book: BookBy) => ReactNode;
}

/** A sheet of appointments, with the open one beside it. */
export function SheetPage({
  title,
  label,
  query,
  columns,
  empty,
  steps: [before, present, after],
  date,
  onDate,
  children,
}: SheetPageProps) {
  const [, goTo] = useLocation();
  // The open appointment is in the address, so that it is open again after a lock.
  const [search, setSearch] = useSearchParams();
  const openId = search.get('appointment');
  const open = useCallback(
    (id: string) => setSearch({ appointment: id }, { replace: true }),
    [setSearch],
  );
  const comeIn = useComeIn(openId, showOpened);
  const sheet = useQuery(query);
  const density = useDensity();
  const minute = useClinicMinute();
  const [said, say] = useSaid();
  // A copy from when the move began, so that a colleague's change does not close the dialog.
  const [moving, setMoving] = useState<{ appointment: ApiSheetAppointment; to?: Place }>();
  const came = useHistoryState<{ cancels?: string; at?: number } | null>();
  const [asked, setAsked] = useState<{ id: string; what: 'noShow' | 'fee' }>();
  const [showsKeys, setShowsKeys] = useState(false);
  const [chosenType, chooseType] = useState<string>();
  const [booked, book] = useState<Booked>();
  const bookAt = useCallback((at: Place) => book({ at }), []);
  const may = useMay();
  const mayBook = may('findPatient') && may('bookAppointment');
  /** The id of the open appointment, once it stood on the sheet. */
  const [stood, setStood] = useState<string>();
  const isCancelling = useIsMutating({ mutationKey: CANCELLING }) > 0;
  const queries = useQueryClient();
  const note = useAction({
    work: ({ id, ...body }: Note) => ask('deskNoteAttendance', { params: { id }, body }),
    shows: [SHEETS],
  });
  const all = (sheet.data ?? []).flatMap(appointmentsOf);
  const types = sheet.data?.[0]?.types;
  const move = (id: string, to?: Place) => {
    const appointment = all.find((each) => each.id === id);
    if (appointment) setMoving({ appointment, ...(to && { to }) });
  };
  const byKey = (key: EntryKey, id: string) => {
    const { next = [], attendance: from, fee } = all.find((each) => each.id === id) ?? {};
    const to = NOTES[key];
    if (key === 'm') move(id);
    else if (key === 'f' ? fee !== 'due' : !to || !next.includes(to)) return;
    else if (key === 'f' || key === 'n') {
      setAsked({ id, what: key === 'f' ? 'fee' : 'noShow' });
      open(id);
    } else if (to && from) note.run({ id, to, from });
  };
  const onSheet = columns.flatMap(({ provider }) => provider.appointments);
  const kinds = (types ?? [])
    .map((type) => ({ ...type, count: onSheet.filter((each) => each.type === type.code).length }))
    .filter(({ count }) => count > 0);
  const onlyType = kinds.find(({ code }) => code === chosenType)?.code;
  const opened = all.find(({ id }) => id === openId);
  if (opened && stood !== opened.id) setStood(opened.id);
  const isGone =
    sheet.data !== undefined &&
    openId !== null &&
    opened === undefined &&
    stood === openId &&
    !isCancelling &&
    moving === undefined;
  const leave = () => {
    setAsked(undefined);
    setSearch({}, { replace: true });
  };
  const close = () => {
    leave();
    focusByPress(document.getElementById(`appointment-${openId}`));
  };
  return (
    <Page
      size="full"
      title={title}
      beside={
        <nav className={styles.days} aria-label={t('desk.goToDate')}>
          <Button
            variant="secondary"
            aria-label={before.name}
            title={before.name}
            onClick={() => goTo(before.to)}
          >
            <ChevronLeft size={18} aria-hidden="true" />
          </Button>
          <Button variant="secondary" onClick={() => goTo(present.to)}>
            {present.name}
          </Button>
          <Button
            variant="secondary"
            aria-label={after.name}
            title={after.name}
            onClick={() => goTo(after.to)}
          >
            <ChevronRight size={18} aria-hidden="true" />
          </Button>
          {children?.(mayBook ? book : undefined)}
          <DayField
            label={t('desk.goToDate')}
            hideLabel
            width="short"
            value={date}
            onChange={onDate}
          />
          <SelectField
            label={t('desk.density')}
            hideLabel
            options={DENSITIES.map((value) => ({ value, label: t(`desk.density.${value}`) }))}
            value={density}
            onChange={chooseDensity}
          />
        </nav>
      }
    >
      <AtFoot>{said}</AtFoot>
      <LoadState of={sheet} />
      {sheet.data && columns.length === 0 && <EmptyState>{empty}</EmptyState>}
      <div className={styles.beside}>
        {columns.length > 0 && (
          <Sheet
            label={label}
            columns={columns}
            types={types}
            density={density}
            key={density === 'compact' ? 'lists' : 'scale'}
            openId={openId}
            onlyType={onlyType}
            now={minute}
            onOpen={open}
            onMove={move}
            onKey={byKey}
            onHelp={() => setShowsKeys(true)}
            onBook={mayBook ? bookAt : undefined}
          />
        )}
        {opened && (
          <AppointmentPanel
            appointment={opened}
            queryKey={query.queryKey}
            comeIn={comeIn}
            onClose={close}
            onGone={(says, kind) => {
              leave();
              say(says, kind);
            }}
            onMove={() => move(opened.id)}
            asksToCancel={came?.cancels === opened.id}
            asks={asked?.id === opened.id ? asked.what : undefined}
            key={`${opened.id} ${came?.at} ${asked?.id === opened.id && asked.what}`}
          />
        )}
      </div>
      {showsKeys && <KeysHelp onClose={() => setShowsKeys(false)} />}
      {booked && <BookDialog {...booked} onClose={() => book(undefined)} />}
      {moving?.appointment.movesFor && (
        <MoveDialog
          {...moving}
          person={moving.appointment.movesFor}
          onClose={() => setMoving(undefined)}
          onMoved={(says) => {
            setMoving(undefined);
            if (opened === undefined || opened.id === moving.appointment.id) leave();
            say(says);
            void queries.invalidateQueries({ queryKey: SHEETS });
          }}
        />
      )}
      <div className={styles.foot}>
        <p className={styles.time}>{t('desk.now', { time: formatTime(minute) })}</p>
        <Legend kinds={kinds} chosen={onlyType} onChoose={chooseType} />
        <p role="status">
          {note.done && note.input && t('desk.noted', { what: t(`desk.note.${note.input.to}`) })}
        </p>
        {note.error !== null && <Outcome of={note} />}
        {isGone && (
          <div ref={focusIfLost} tabIndex={-1}>
            <Notice kind="caution" role="alert" unasked>
              <p>{t('desk.cancelGone')}</p>
            </Notice>
          </div>
        )}
      </div>
    </Page>
  );
}

const appointmentsOf = ({ providers }: ApiDaySheet) =>
  providers.flatMap(({ appointments }) => appointments);

/** The panel narrows the sheet, so scroll the open appointment back into view. */
function showOpened(heading: HTMLElement) {
  focusByPress(heading);
  const entry = document.querySelector('[aria-expanded="true"][data-start]');
  entry?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}
