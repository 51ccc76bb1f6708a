import type { ApiSheetAppointment } from '@clinic/contract';
import { type Attendance, type LookReason, formatTime } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { DeskError, ask, dayQuery, isUnknown, ruleText } from '../api.ts';
import { ReadOut } from '../booking/read-out.tsx';
import { FeeAtClinic } from '../booking/take-fee.tsx';
import { type CancelBody, CancelDialog } from './cancel-dialog.tsx';
import { AskLookReason } from '../look-reason.tsx';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import styles from './day.module.css';
import { feeText, statusText } from './status.ts';

interface PanelProps {
  appointment: ApiSheetAppointment;
  date: string;
  onClose: () => void;
  /** Called with what the page is to say in place of a panel that is gone. */
  onGone: (says: string, kind: 'good' | 'danger') => void;
  /** Called to ask where to move the appointment. */
  onMove: () => void;
}

/** Marks a cancellation, which says itself what became of its appointment. */
export const CANCELLING = ['cancel'];

/** The patient of an appointment and the actions of the front desk. The audit trail records the opening. */
export function AppointmentPanel({ appointment, onClose, ...changed }: PanelProps) {
  const titleId = useId();
  const { start, end } = appointment;
  const slot = {
    from: formatTime(start),
    to: formatTime(end),
    minutes: Math.round((end - start) / 60),
  };
  return (
    <aside
      className={styles.panel}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // Escape in a dialog closes only the dialog.
        const isInDialog = (event.target as Element).closest('dialog') !== null;
        if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) onClose();
      }}
    >
      <div className={styles.panelHead}>
        <h2 id={titleId} tabIndex={-1} ref={comeIn}>
          {appointment.patient}
        </h2>
        <Button variant="quiet" icon={<X size={18} aria-hidden="true" />} onClick={onClose}>
          {t('desk.close')}
        </Button>
      </div>
      <dl className={styles.facts}>
        <Fact name={t('desk.time')}>{t('desk.slot', slot)}</Fact>
        <Fact name={t('desk.type')}>
          {appointment.type} · {appointment.description}
        </Fact>
        <Fact name={t('desk.status')}>{statusText(appointment)}</Fact>
        <Fact name={t('desk.fee')}>{feeText(appointment)}</Fact>
      </dl>
      <Changes appointment={appointment} {...changed} />
      <Person id={appointment.id} />
    </aside>
  );
}

/** The panel narrows the sheet, so scroll the open appointment back into view. */
function comeIn(heading: HTMLElement | null) {
  heading?.focus();
  const entry = heading && document.querySelector('[aria-expanded="true"][data-start]');
  entry?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Person({ id }: { id: string }) {
  const [lookReason, setLookReason] = useState<LookReason>();
  const opened = useQuery({
    queryKey: ['appointment', id, lookReason],
    queryFn: async () =>
      (
        await ask('deskOpenAppointment', {
          params: { id },
          body: lookReason === undefined ? {} : { lookReason },
        })
      ).extras,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data, error } = opened;
  if (!data && error instanceof DeskError && error.code === 'lookReasonMissing')
    return <AskLookReason onReason={setLookReason} />;
  if (!data && error)
    return (
      <FailedState onRetry={() => void opened.refetch()} busy={opened.isFetching}>
        {error.message}
      </FailedState>
    );
  if (!data) return <LoadingState />;
  const { patient, reason, checkin, bookingNumber, feeAtClinic, arrivedAt } = data;
  return (
    <>
      {feeAtClinic && <FeeAtClinic id={id} fee={feeAtClinic} />}
      <dl className={styles.facts}>
        <Fact name={t('desk.birthDate')}>{patient.birthDate}</Fact>
        <Fact name={t('desk.phone')}>
          {patient.phone === null ? (
            t('desk.noAccount')
          ) : (
            <a href={`tel:${patient.phone}`}>{patient.phone}</a>
          )}
        </Fact>
        <Fact name={t('desk.email')}>
          {patient.email === null ? (
            t('desk.noAccount')
          ) : (
            <a href={`mailto:${patient.email}`}>{patient.email}</a>
          )}
        </Fact>
        <Fact name={t('desk.reason')}>{reason ?? t('desk.noReason')}</Fact>
        <Fact name={t('desk.record')}>
          <Link href={`/patients/${patient.recordId}`}>{patient.recordId}</Link>
        </Fact>
        {bookingNumber !== null && <Fact name={t('desk.bookingNumber')}>{bookingNumber}</Fact>}
        {checkin !== null && <Fact name={t('desk.checkin')}>{checkin}</Fact>}
        {arrivedAt !== null && (
          <Fact name={t('desk.arrived')}>{formatMoment(locale, arrivedAt)}</Fact>
        )}
      </dl>
    </>
  );
}

function Changes({ appointment, date, onGone, onMove }: Omit<PanelProps, 'onClose'>) {
  const queries = useQueryClient();
  const [asksToCancel, setAsksToCancel] = useState(false);
  const { id, next, attendance, isCancellable, movesFor, linkUntil, hasAccount } = appointment;
  const mayBook = useMay()('bookAppointment');
  const { queryKey } = dayQuery(date);
  const shown = () => queries.invalidateQueries({ queryKey });
  const isGone = () =>
    queries
      .getQueryData(queryKey)
      ?.providers.every(({ appointments }) => appointments.every((each) => each.id !== id));
  const params = { id };
  const note = useMutation({
    mutationFn: (to: Attendance) => ask('deskNoteAttendance', { params, body: { to } }),
    onSettled: shown,
  });
  const cancel = useMutation({
    mutationKey: CANCELLING,
    mutationFn: (body: CancelBody) => ask('deskCancelAppointment', { params, body }),
    onSuccess: async ({ extras }) => {
      setAsksToCancel(false);
      const cancelled = hasAccount ? 'desk.cancelled' : 'desk.cancelledUntold';
      onGone(t(extras.isSent ? 'desk.cancelSent' : cancelled), 'good');
      await shown();
    },
    onError: async (error) => {
      await shown();
      if (isGone()) onGone(`${ruleText(error)} ${t('desk.cancelGone')}`, 'danger');
    },
  });
  const payHere = useMutation({
    mutationFn: () => ask('deskPayAtClinic', { params, body: {} }),
    onSettled: () =>
      Promise.all([shown(), queries.invalidateQueries({ queryKey: ['appointment', id] })]),
  });
  // The answer was lost, and the sheet says since that the link is waited for no more.
  const isLinkOver = isUnknown(payHere.error) && linkUntil === null;
  return (
    <div className={styles.changes}>
      {linkUntil !== null && mayBook && (
        <Button
          busy={payHere.isPending}
          busyLabel={t('desk.payingAtClinic')}
          onClick={() => {
            if (!payHere.isPending) payHere.mutate();
          }}
        >
          {t('desk.payAtClinic')}
        </Button>
      )}
      <ActionOutcome press={payHere.submittedAt} kind={isLinkOver ? 'caution' : 'danger'}>
        {isLinkOver ? t('desk.linkOver') : payHere.error && ruleText(payHere.error)}
      </ActionOutcome>
      <ActionOutcome press={payHere.submittedAt} kind="good">
        {payHere.isSuccess && t('desk.isDueNow')}
      </ActionOutcome>
      {(payHere.isSuccess || isLinkOver) && <ReadOut id={id} />}
      {next.map((to, at) => (
        <Button
          key={to}
          variant={at === 0 ? 'primary' : 'secondary'}
          busy={note.isPending && note.variables === to}
          onClick={() => {
            if (!note.isPending) note.mutate(to);
          }}
        >
          {noteText(to, attendance)}
        </Button>
      ))}
      {movesFor !== null && (
        <Button variant="secondary" title={t('desk.moveKeys')} onClick={onMove}>
          {t('desk.move')}
        </Button>
      )}
      {isCancellable && (
        <Button variant="danger" onClick={() => setAsksToCancel(true)}>
          {t('desk.cancel')}
        </Button>
      )}
      <ActionOutcome press={note.submittedAt}>{note.error?.message}</ActionOutcome>
      <ActionOutcome press={note.submittedAt} kind="good">
        {note.isSuccess && t('desk.noted', { what: noteText(note.variables, note.variables) })}
      </ActionOutcome>
      {asksToCancel && (
        <CancelDialog
          appointment={appointment}
          busy={cancel.isPending}
          failed={cancel.error && { says: ruleText(cancel.error), press: cancel.submittedAt }}
          onCancel={(body) => cancel.mutate(body)}
          onClose={() => {
            setAsksToCancel(false);
            cancel.reset();
          }}
        />
      )}
    </div>
  );
}

/** Going back from 'in room' to 'arrived' has a text of its own. */
const noteText = (to: Attendance, from: Attendance): string =>
  t(to === 'arrived' && from === 'inRoom' ? 'desk.note.backFromRoom' : `desk.note.${to}`);
