import { doctorName, formatAppointment, formatTime } from '@clinic/domain';
import { ShieldCheck } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { ClinicContact } from '../../shared/ui/clinic-contact.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { ErrorSummary } from '../../shared/ui/error-summary.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { doctorOf, typeOf, type BookingData } from './booking-data.ts';
import type { Draft } from './booking-draft.ts';
import { reasonOf } from './booking-machine.ts';
import styles from './confirm.module.css';
import { DetailsDialog } from './details-dialog.tsx';
import { FeeWarningDialog } from './fee-warning-dialog.tsx';
import { HoldNotice } from './hold-notice.tsx';
import type { HoldState } from './hold-state.ts';
import type { OpenJourney } from './journey.ts';
import { ReasonField } from './reason-field.tsx';
import { useConfirmSequence } from './use-confirm-sequence.ts';

const REASON_FIELD = 'booking-reason';

interface ConfirmProps extends OpenJourney {
  data: BookingData;
  draft: Extract<Draft, { step: 'confirm' }>;
  hold: HoldState;
}

/** Step 3: what is about to be booked, for whom, and why (§2 Booking step 3). */
export function Confirm({ data, draft, hold, journey, send }: ConfirmProps) {
  const type = typeOf(data, draft.search.type);
  const doctor = doctorOf(data, draft.slot.doctor);
  const { user, config } = data;
  const { view, next, acceptFee, agree, close } = useConfirmSequence({
    data,
    draft,
    type,
    journey,
    send,
  });
  const errors = useMemo(
    () => (view.reasonError === null ? [] : [{ fieldId: REASON_FIELD, message: view.reasonError }]),
    [view],
  );

  return (
    <>
      <ErrorSummary errors={errors} />
      {view.problem !== null && (
        <Notice kind="danger" title={t('booking.notBooked')} role="alert">
          <p>{view.problem}</p>
          {view.needsClinic ? (
            <ClinicContact config={config} />
          ) : (
            <p>{t('booking.tryAgainKept')}</p>
          )}
        </Notice>
      )}
      <HoldNotice draft={draft} state={hold} journey={journey} send={send} />
      <Card>
        <dl className={styles.facts}>
          <Row label={t('booking.when')}>{formatAppointment(draft.slot.start)}</Row>
          <Row label={t('booking.who')}>{doctorName(doctor)}</Row>
          <Row label={t('booking.what')}>{type.description}</Row>
          <Row label={t('booking.patient')}>
            {user.firstName} {user.lastName}
          </Row>
        </dl>
        <div className={styles.privacy}>
          <ShieldCheck size={22} aria-hidden="true" />
          <p>{t('booking.privacy')}</p>
        </div>
      </Card>
      <ReasonField
        id={REASON_FIELD}
        type={type.code}
        value={reasonOf(journey)}
        error={view.reasonError}
        onChange={(reason) => send({ type: 'answer', reason })}
      />
      <div className={styles.actions}>
        <Button
          busy={view.busy && view.asking === null}
          busyLabel={t('booking.working')}
          onClick={next}
        >
          {t('booking.next')}
        </Button>
        <Button variant="secondary" disabled={view.busy} onClick={() => send({ type: 'back' })}>
          {t('booking.back')}
        </Button>
      </div>
      {view.asking === 'fee' && (
        <FeeWarningDialog cents={view.feeCents} onAccept={acceptFee} onCancel={close} />
      )}
      {view.asking === 'details' && (
        <DetailsDialog
          type={type}
          doctor={doctor}
          slot={draft.slot}
          user={user}
          config={config}
          busy={view.busy}
          onAgree={agree}
          onCancel={close}
        />
      )}
      {view.asking === 'opensLater' && (
        <Dialog
          title={t('booking.notOpenTitle')}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('booking.back')}</Button>
              <Button variant="secondary" onClick={() => send({ type: 'reset' })}>
                {t('booking.notOpenOther')}
              </Button>
            </>
          }
        >
          <p>{t('booking.notOpenLate')}</p>
          {hold.kind === 'held' && (
            <p>{t('booking.notOpenKept', { time: formatTime(hold.until) })}</p>
          )}
          <ClinicContact config={config} />
        </Dialog>
      )}
    </>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}
