import { formatDay } from '@clinic/texts';
import { useState, type ReactNode } from 'react';
import {
  automaticViews,
  doctorName,
  formatTime,
  toClinic,
  type DateBounds,
  type GridView,
  type AppointmentType,
  type ClinicDate,
} from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { FailedState, Skeleton } from '@clinic/ui/page-states';
import { Spinner } from '@clinic/ui/spinner';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { locale, t } from '../../../messages/t.ts';
import { ApiError } from '@clinic/app/api-error';
import { AlertDialog } from '../../../shared/shell/alert-dialog.tsx';
import { QuestionDialog } from '../../../shared/shell/question-dialog.tsx';
import { minutesWords } from '../../../shared/appointment-length.ts';
import { doctorOf, earliestQuery, type BookingData } from '../booking-data.ts';
import { lengthsDiffer } from '../choose/type-choice.tsx';
import type { SearchResult } from './slot-search.ts';
import styles from './search-outcome.module.css';

/** Skeleton chips in place of the times, with the specification's words. */
export function SlotsComing() {
  return (
    <div className={styles.coming}>
      <Spinner label={t('booking.patience')} />
      <div className={styles.chips}>
        <Skeleton shape="chip" count={24} />
      </div>
    </div>
  );
}

interface SearchFailedProps {
  error: Error;
  onRetry: () => void;
}

/** A failed search, with a way to try again; an alert shows the service's words, if any. */
export function SearchFailed({ error, onRetry }: SearchFailedProps) {
  const [closed, setClosed] = useState(false);
  const said = error instanceof ApiError && error.status !== 401 ? error.says : null;
  return (
    <>
      <FailedState onRetry={onRetry}>{t('booking.searchFailed')}</FailedState>
      {said !== null && !closed && <AlertDialog text={said} onClose={() => setClosed(true)} />}
    </>
  );
}

interface NothingFoundProps {
  result: SearchResult;
  type: AppointmentType;
  /** -1 for all doctors. */
  doctorId: string;
  bounds: DateBounds;
  onSearchOn: (view: GridView) => void;
  /** Called when no days are left to search, so that the patient chooses another day. */
  onOtherDay: () => void;
  /** The button for the earliest time beyond the searched days, if there is one. */
  offer: ReactNode;
}

/** The dialog after a search that found nothing: Yes searches on, No stays. */
export function NothingFound(props: NothingFoundProps) {
  const { result, type, doctorId, bounds, onSearchOn, onOtherDay, offer } = props;
  const [closed, setClosed] = useState(false);
  // Opens only after the offer has loaded, so that the buttons do not move.
  const { isFetched } = useQuery(earliestQuery(type.code, doctorId));
  if (closed || !isFetched) return null;
  const [next] = automaticViews(result.lastTried, bounds);
  return (
    <QuestionDialog
      kind="alert"
      title={t('booking.warning')}
      yes={t('booking.yes')}
      onYes={() => (next ? onSearchOn(next) : onOtherDay())}
      no={t('booking.no')}
      onClose={() => setClosed(true)}
    >
      <p>{question(result)}</p>
      {offer}
    </QuestionDialog>
  );
}

function question({ view, lastTried }: SearchResult): string {
  if (view.kind === 'day') return t('booking.noneOnDay', { date: formatDay(locale(), view.from) });
  const date = t('booking.range', {
    from: formatDay(locale(), view.from),
    to: formatDay(locale(), lastTried.to),
  });
  return t('booking.noneInRange', { date });
}

interface NextAvailableProps {
  data: BookingData;
  type: AppointmentType;
  /** -1 for all doctors. */
  doctorId: string;
  onShow: (date: ClinicDate) => void;
}

/** Where nothing is free: a button with the earliest time of the whole window, leading to its day. */
export function NextAvailable({ data, type, doctorId, onShow }: NextAvailableProps) {
  const { data: slot } = useQuery(earliestQuery(type.code, doctorId));
  if (!slot) return null;
  const { date } = toClinic(slot.start);
  return (
    <Button
      variant="secondary"
      icon={<CalendarCheck size={20} aria-hidden="true" />}
      onClick={() => onShow(date)}
    >
      {t('booking.nextAvailable', {
        day: formatDay(locale(), date),
        time: formatTime(slot.start),
        doctor: doctorName(doctorOf(data, slot.doctor)),
      })}
      {lengthsDiffer(data.types) && ` · ${minutesWords((slot.end - slot.start) / 60)}`}
    </Button>
  );
}
