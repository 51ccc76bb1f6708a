import { codeOf, isUnknown, messageOf } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import type { ApiOpenedAppointment, ApiSheetAppointment } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import {
  type Attendance,
  type LookReason,
  deskPages,
  formatPhone,
  formatTime,
} from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefCallback, useState } from 'react';
import { Link } from 'wouter';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { SHEETS, type SheetQuery, ask } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { BookDialog, CancelDialog, FeeAtClinic, ReadOut } from '../../shared/booking/dialogs.tsx';
import { AskLookReason } from '../../shared/look-reason.tsx';
import { useMay } from '../../shared/may.ts';
import { Fact, Facts, PhoneLink } from '../../shared/fact.tsx';
import { SidePanel } from '../../shared/side-panel.tsx';
import { offerUndo } from '../../shared/undo.ts';
import { locale, t } from '../../shared/words.ts';
import styles from './day.module.css';
import { feeText, slotOf, statusText } from './status.ts';

interface PanelProps {
  appointment: ApiSheetAppointment;
  /** Of the sheet that it stands on. */
  queryKey: SheetQuery['queryKey'];
  /** For the heading, which takes the focus as the panel opens. */
  comeIn: RefCallback<HTMLElement>;
  onClose: () => void;
  /** Called with what the page is to say in place of a panel that is gone. */
  onGone: (says: string, kind: 'good' | 'caution' | 'danger') => void;
  /** Called to ask where to move the appointment. */
  onMove: () => void;
  /** It was opened to be cancelled. */
  asksToCancel?: boolean;
  /** It was opened for its fee, or to note that the patient did not come. */
  asks?: 'fee' | 'noShow' | undefined;
}

/** The patient of an appointment and the actions of the front desk. The audit trail records the opening. */
export function AppointmentPanel({ appointment, comeIn, onClose, ...changed }: PanelProps) {
  const [lookReason, setLookReason] = useState<LookReason>();
  const opened = useQuery({
    queryKey: ['appointment', appointment.id, lookReason],
    queryFn: async () =>
      (
        await ask('deskOpenAppointment', {
          params: { id: appointment.id },
          body: lookReason === undefined ? {} : { lookReason },
        })
      ).extras,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { id, patient, start, fee, isGone } = appointment;
  return (
    <SidePanel
      title={patient ?? undefined}
      actsOn={`${id} ${patient} ${start} ${fee}`}
      comeIn={changed.asks === 'fee' ? undefined : comeIn}
      onClose={onClose}
    >
      <Facts>
        <Fact name={t('desk.time')}>{t('desk.slot', slotOf(appointment))}</Fact>
        <Fact name={t('desk.type')}>
          {appointment.type} · {appointment.description}
        </Fact>
        <Fact name={t('desk.status')}>{statusText(appointment)}</Fact>
        <Fact name={t('desk.fee')}>{feeText(appointment)}</Fact>
      </Facts>
      {isGone === true && (
        <Notice kind="danger">
          <p>{t('desk.goneFromEmrAbout')}</p>
        </Notice>
      )}
      {/* Before the answer, so that nothing moves as it comes. */}
      {(opened.data?.feeAtClinic || (fee === 'due' && opened.isPending)) && (
        <div ref={changed.asks === 'fee' ? comeIn : undefined} tabIndex={-1}>
          <FeeAtClinic id={id} fee={opened.data?.feeAtClinic ?? undefined} />
        </div>
      )}
      <Changes appointment={appointment} recordId={opened.data?.patient.recordId} {...changed} />
      <Person opened={opened} onReason={setLookReason} />
    </SidePanel>
  );
}

interface PersonProps {
  opened: UseQueryResult<ApiOpenedAppointment>;
  onReason: (reason: LookReason) => void;
}

function Person({ opened, onReason }: PersonProps) {
  const { data, error } = opened;
  if (!data && codeOf(error) === 'lookReasonMissing') return <AskLookReason onReason={onReason} />;
  if (!data) return <LoadState of={opened} />;
  const { patient, reason, checkin, bookingNumber, arrivedAt } = data;
  return (
    <>
      <Facts>
        <Fact name={t('desk.birthDate')}>{patient.birthDate}</Fact>
        <Fact name={t('desk.phone')}>
          {patient.phone === null ? (
            t('desk.noAccount')
          ) : (
            <PhoneLink phone={formatPhone(patient.phone)} />
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
          <Link href={pathTo(deskPages.patient, { id: patient.recordId })}>{patient.recordId}</Link>
        </Fact>
        {bookingNumber !== null && <Fact name={t('desk.bookingNumber')}>{bookingNumber}</Fact>}
        {checkin !== null && <Fact name={t('desk.checkin')}>{checkin}</Fact>}
        {arrivedAt !== null && (
          <Fact name={t('desk.arrived')}>{formatMoment(locale(), arrivedAt)}</Fact>
        )}
      </Facts>
    </>
  );
}

function Changes({
  appointment,
  queryKey,
  onGone,
  onMove,
  asksToCancel: isToBeCancelled = false,
  asks,
  recordId,
}: Omit<PanelProps, 'onClose' | 'comeIn'> & {
  /** Whose it is, once that is read. */
  recordId: string | undefined;
}) {
  const queries = useQueryClient();
  const [asksToCancel, setAsksToCancel] = useState(isToBeCancelled && appointment.isCancellable);
  const [asksNoShow, setAsksNoShow] = useState(
    asks === 'noShow' && appointment.next.includes('noShow'),
  );
  const [walksIn, setWalksIn] = useState(false);
  const { id, patient, description, start, next, attendance, isCancellable } = appointment;
  const { movesFor, linkUntil, hasAccount } = appointment;
  const [noted, say] = useSaid();
  const mayBook = useMay()('bookAppointment');
  const shown = () => queries.invalidateQueries({ queryKey: SHEETS });
  const isGone = () =>
    queries
      .getQueryData(queryKey)
      ?.flatMap(({ providers }) => providers)
      .every(({ appointments }) => appointments.every((each) => each.id !== id));
  const params = { id };
  const noteIt = (is: Noted) => ask('deskNoteAttendance', { params, body: is });
  const note = useAction({
    work: noteIt,
    onDone: (_, is) => say(notedText(is)),
    shows: [SHEETS],
  });
  const payHere = useAction({
    work: () => ask('deskPayAtClinic', { params, body: {} }),
    shows: [SHEETS, ['appointment', id]],
  });
  // The answer was lost, and the sheet says since that the link is waited for no more.
  const isLinkOver = isUnknown(payHere.error) && linkUntil === null;
  return (
    <div className={styles.changes}>
      {linkUntil !== null && mayBook && (
        <Button
          busy={payHere.pending}
          busyLabel={t('desk.payingAtClinic')}
          onClick={() => payHere.run()}
        >
          {t('desk.payAtClinic')}
        </Button>
      )}
      <Outcome
        of={payHere}
        why={(error) => (isLinkOver ? t('desk.linkOver') : messageOf(error))}
        done={t('desk.isDueNow')}
      />
      {(payHere.done || isLinkOver) && <ReadOut id={id} />}
      {next.map((to, at) => (
        <Button
          key={to}
          variant={at === 0 ? 'primary' : 'secondary'}
          busy={note.pending && note.input?.to === to}
          onClick={() => {
            if (to === 'noShow') setAsksNoShow(true);
            else note.run({ to, from: attendance });
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
      <Outcome of={note} />
      {codeOf(note.error) === 'noShowStands' && mayBook && recordId && (
        <Button onClick={() => setWalksIn(true)}>{t('desk.walkInNow')}</Button>
      )}
      {walksIn && recordId && (
        <BookDialog
          forPerson={recordId}
          begins={{ type: appointment.type, providerId: '', reason: 'walkIn' }}
          onClose={() => setWalksIn(false)}
        />
      )}
      {noted}
      {asksNoShow && (
        <ActionDialog
          title={t('desk.noShowTitle', { name: patient ?? '', time: formatTime(start) })}
          does={t('desk.note.noShow')}
          isDanger
          input={NO_SHOW}
          work={noteIt}
          shows={[SHEETS]}
          onDone={(_, is) => {
            setAsksNoShow(false);
            say(notedText(is));
          }}
          onClose={() => setAsksNoShow(false)}
        >
          <p>{t('desk.noShowAbout')}</p>
        </ActionDialog>
      )}
      {asksToCancel && (
        <CancelDialog
          appointment={appointment}
          onClose={() => setAsksToCancel(false)}
          onCancelled={async ({ extras }) => {
            setAsksToCancel(false);
            const cancelled = hasAccount ? 'desk.cancelled' : 'desk.cancelledUntold';
            const said = { type: description, name: patient ?? '' };
            onGone(t(extras.isSent ? 'desk.cancelSent' : cancelled, said), 'good');
            offerUndo(extras.undo, {
              kind: 'cancel',
              whom: patient ?? '',
              start,
              isTold: hasAccount,
            });
            await shown();
          }}
          onFailed={async (error) => {
            await shown();
            const kind = isUnknown(error) ? 'caution' : 'danger';
            if (isGone()) onGone(`${messageOf(error)} ${t('desk.cancelGone')}`, kind);
          }}
        />
      )}
    </div>
  );
}

interface Noted {
  readonly to: Attendance;
  /** What the panel showed when it was pressed. */
  readonly from: Attendance;
}

const NO_SHOW: Noted = { to: 'noShow', from: 'expected' };

/** A way back has a text of its own. */
function noteText(to: Attendance, from: Attendance): string {
  if (to === 'arrived' && from === 'inRoom') return t('desk.note.backFromRoom');
  if (to === 'expected' && from === 'noShow') return t('desk.note.takeBack');
  return t(`desk.note.${to}`);
}

const notedText = ({ to, from }: Noted): string =>
  to === 'expected' && from === 'noShow'
    ? t('desk.takenBack')
    : t('desk.noted', { what: t(`desk.note.${to}`) });
