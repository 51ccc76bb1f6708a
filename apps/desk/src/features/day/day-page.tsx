import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import { useClinicMinute } from '@clinic/app/use-clock';
import type { ApiSheetAppointment } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import {
  type Attendance,
  addDays,
  deskPages,
  formatTime,
  isWholeDay,
  toClinic,
} from '@clinic/domain';
import { formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { focusByPress, focusIfLost } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { EmptyState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ask, dayQuery } from '../../shared/api.ts';
import { AtFoot } from '../../shared/at-foot.tsx';
import { CANCELLING, type Place } from '../../shared/booking/booking-data.ts';
import type { BookDialogProps } from '../../shared/booking/book-dialog.tsx';
import { BookDialog, MoveDialog } from '../../shared/booking/dialogs.tsx';
import { DayField } from '../../shared/day-field.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';
import { inOrder, shownOf, useArrangement } from './arrangement.ts';
import styles from './day.module.css';
import { DENSITIES, chooseDensity, useDensity } from './density.ts';
import { Legend } from './legend.tsx';
import { AppointmentPanel, ArrangeDialog, CancelledDialog, KeysHelp } from './parts-later.tsx';
import { type EntryKey, Sheet } from './sheet.tsx';

interface Note {
  readonly id: string;
  readonly to: Attendance;
  /** What the sheet showed when the key was pressed. */
  readonly from: Attendance;
}

/** What a key notes. */
const NOTES: Partial<Record<EntryKey, Attendance>> = { a: 'arrived', r: 'inRoom', n: 'noShow' };

/** The sheet of a day, with the open appointment beside it. */
export function DayPage({ date }: { date: string }) {
  const [, goTo] = useLocation();
  const goToDay = (next: string) => goTo(pathTo(deskPages.day, { date: next }));
  // The open appointment is in the address, so that it is open again after a lock.
  const [search, setSearch] = useSearchParams();
  const openId = search.get('appointment');
  const open = useCallback(
    (id: string) => setSearch({ appointment: id }, { replace: true }),
    [setSearch],
  );
  const comeIn = useComeIn(openId, showOpened);
  const day = useQuery(dayQuery(date));
  const density = useDensity();
  const arrangement = useArrangement();
  const minute = useClinicMinute();
  const [said, say] = useSaid();
  // A copy from when the move began, so that a colleague's change does not close the dialog.
  const [moving, setMoving] = useState<{ appointment: ApiSheetAppointment; to?: Place }>();
  const came = useHistoryState<{ cancels?: string; at?: number } | null>();
  const [asked, setAsked] = useState<{ id: string; what: 'noShow' | 'fee' }>();
  const [showsKeys, setShowsKeys] = useState(false);
  const [arranges, setArranges] = useState(false);
  const [chosenType, chooseType] = useState<string>();
  const [showsCancelled, setShowsCancelled] = useState(false);
  const [booked, book] = useState<Omit<BookDialogProps, 'onClose'>>();
  const may = useMay();
  const mayBook = may('findPatient') && may('bookAppointment');
  const bookAt = useCallback((at: Place) => book({ at }), []);
  const bookCancelled = (of: Omit<BookDialogProps, 'onClose'>) => {
    setShowsCancelled(false);
    book(of);
  };
  // The open appointment as it stood on the sheet.
  const [stood, setStood] = useState<{ id: string; date: string }>();
  const isCancelling = useIsMutating({ mutationKey: CANCELLING }) > 0;
  const queries = useQueryClient();
  const { queryKey } = dayQuery(date);
  const note = useAction({
    work: ({ id, ...body }: Note) => ask('deskNoteAttendance', { params: { id }, body }),
    shows: [queryKey],
  });
  if (!isWholeDay(date)) return <EmptyState>{t('desk.notFound')}</EmptyState>;
  const all = day.data?.providers.flatMap(({ appointments }) => appointments) ?? [];
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
  const providers = inOrder(day.data?.providers ?? [], arrangement);
  const shown = shownOf(providers, arrangement, openId);
  const onSheet = shown.flatMap(({ appointments }) => appointments);
  const kinds = (day.data?.types ?? [])
    .map((type) => ({ ...type, count: onSheet.filter((each) => each.type === type.code).length }))
    .filter(({ count }) => count > 0);
  const onlyType = kinds.find(({ code }) => code === chosenType)?.code;
  const opened = all.find(({ id }) => id === openId);
  if (opened && (stood?.id !== openId || stood.date !== date)) setStood({ id: opened.id, date });
  const isGone =
    day.data !== undefined &&
    openId !== null &&
    opened === undefined &&
    stood?.id === openId &&
    stood.date === date &&
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
      title={formatFullDate(locale(), date)}
      beside={
        <nav className={styles.days} aria-label={t('desk.goToDate')}>
          <Button
            variant="secondary"
            icon={<ChevronLeft size={18} aria-hidden="true" />}
            onClick={() => goToDay(addDays(date, -1))}
          >
            {t('desk.previousDay')}
          </Button>
          <Button variant="secondary" onClick={() => goToDay(toClinic(clinicNow()).date)}>
            {t('desk.today')}
          </Button>
          <Button
            variant="secondary"
            icon={<ChevronRight size={18} aria-hidden="true" />}
            onClick={() => goToDay(addDays(date, 1))}
          >
            {t('desk.nextDay')}
          </Button>
          <Button
            variant="secondary"
            icon={<Printer size={18} aria-hidden="true" />}
            onClick={() => goTo(pathTo(deskPages.print, { date }))}
          >
            {t('desk.print')}
          </Button>
          <Button variant="secondary" onClick={() => setArranges(true)}>
            {shown.length < providers.length
              ? t('desk.providersOf', { n: shown.length, of: providers.length })
              : t('desk.providers')}
          </Button>
          <Button variant="secondary" onClick={() => setShowsCancelled(true)}>
            {t('desk.cancelledList')}
          </Button>
          <DayField
            label={t('desk.goToDate')}
            hideLabel
            width="short"
            value={date}
            onChange={goToDay}
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
      <LoadState of={day} />
      {day.data?.hours === null && <EmptyState>{t('desk.nobodyWorks')}</EmptyState>}
      <div className={styles.beside}>
        {day.data && day.data.hours !== null && (
          <Sheet
            day={{ ...day.data, providers: shown }}
            hours={day.data.hours}
            density={density}
            key={density === 'compact' ? 'lists' : 'scale'}
            openId={openId}
            onlyType={onlyType}
            now={toClinic(minute).date === date ? minute : null}
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
            date={date}
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
      {arranges && <ArrangeDialog providers={providers} onClose={() => setArranges(false)} />}
      {showsCancelled && (
        <CancelledDialog
          date={date}
          onBook={mayBook ? bookCancelled : undefined}
          onClose={() => setShowsCancelled(false)}
        />
      )}
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
            void queries.invalidateQueries({ queryKey });
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

/** The panel narrows the sheet, so scroll the open appointment back into view. */
function showOpened(heading: HTMLElement) {
  focusByPress(heading);
  const entry = document.querySelector('[aria-expanded="true"][data-start]');
  entry?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}
