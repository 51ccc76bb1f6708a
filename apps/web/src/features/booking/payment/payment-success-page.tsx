import { formatMoment } from '@clinic/texts';
import { Spinner } from '@clinic/ui/spinner';
import { useQuery } from '@tanstack/react-query';
import { useHistoryState } from 'wouter/use-browser-location';
import { centsOf, doctorName, doctorOfAppointment, patientPages } from '@clinic/domain';
import type { ApiAppointment, CallAnswer } from '@clinic/contract';
import { Notice } from '@clinic/ui/notice';
import { RotateCw } from 'lucide-react';
import { Button } from '@clinic/ui/button';
import { locale, t } from '../../../messages/t.ts';
import { typeName } from '../../../shared/clinic-words.tsx';
import { appointmentsQuery, changesOf } from '../../../api/appointments.ts';
import { clinicNow } from '@clinic/app/clock';
import { request } from '../../../api/service.ts';
import { keptOrigin } from '../../../shared/session/same-origin-path.ts';
import { useUser } from '../../../shared/session/session.ts';
import { Page } from '../../../shared/shell/page.tsx';
import { sawAppointments } from '../../../shared/unsettled-request.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { ApiError } from '@clinic/app/api-error';
import styles from '../outcome.module.css';
import './payment-words.ts';
import { BookedCard, isAtClinic, receiptWords } from '../booked/booked.tsx';
import { endedSince } from '../booked/ended-since.ts';

/**
 * Without payment parameters, the page shows the latest appointment booked within this time, in
 * seconds.
 */
const RECENT_SECONDS = 15 * 60;

/** The page to which the bank sends patients back, and the end of a payment. */
export function PaymentSuccessPage() {
  const intent = intentIn(useHistoryState());
  return intent === null ? <DirectAccess /> : <Confirmation intent={intent} />;
}

/** Asks the service for the outcome, whatever the address says about it. */
function Confirmation({ intent }: { intent: string }) {
  const { id: patientId } = useUser();
  const confirmed = useQuery({
    queryKey: ['payment-confirmation', intent],
    queryFn: async ({ client }) => {
      const answer = await request('charge', {
        headers: { 'idempotency-key': `confirm-${intent}` },
        body: { payment_intent_id: intent },
      });
      void client.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
      if (answer.extras.appointment) sawAppointments(patientId, [answer.extras.appointment.id]);
      return answer;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  // The heading takes the focus once the outcome is known: the waiting page is the same page.
  if (confirmed.isFetching || confirmed.isPending)
    return (
      <Page title={t('payment.confirming')} screen="confirming">
        <Spinner label={t('payment.oneMoment')} />
      </Page>
    );
  const retry = () => void confirmed.refetch();
  if (confirmed.isError || !confirmed.data.success) {
    const failure = confirmed.error ?? confirmed.data.extras;
    return (
      <Page title={t(titleOf(failure))} screen="failure">
        <PaymentFailure failure={failure} onRetry={retry} />
      </Page>
    );
  }
  const { appointment = null, reference = null } = confirmed.data.extras;
  return <Success appointment={appointment} reference={reference} lookThere={false} />;
}

function DirectAccess() {
  const list = useQuery({ ...appointmentsQuery(), refetchOnMount: 'always' });
  const { isError } = list;
  // An older list may show what was cancelled or moved since.
  const data = list.isFetchedAfterMount && !isError ? list.data : undefined;
  const since = clinicNow() - RECENT_SECONDS;
  const lastOf = (when: 'bookedAt' | 'endedAt') =>
    data?.appointments
      .filter((each) => (each[when] ?? 0) > since)
      .toSorted((one, other) => (other[when] ?? 0) - (one[when] ?? 0)) ?? [];
  const recent = data && [...lastOf('bookedAt'), ...lastOf('endedAt')];
  const none = isError || recent?.length === 0;
  return <Success appointment={recent?.[0] ?? null} reference={null} lookThere={none} />;
}

/** The payment that the patient came back with, or null for direct access. */
function intentIn(state: unknown): string | null {
  const origin = keptOrigin(state);
  if (origin === null) return null;
  // An empty parameter counts as none.
  return new URL(origin, window.location.origin).searchParams.get('payment_intent') || null;
}

interface PaymentSuccessProps {
  /** The booked appointment; null when it is not known. */
  appointment: ApiAppointment | null;
  reference: string | null;
  /** True when no recent booking was found: points the patient to My Appointments. */
  lookThere: boolean;
}

function Success(props: PaymentSuccessProps) {
  const { appointment, reference } = props;
  const list = useQuery(appointmentsQuery()).data?.appointments ?? null;
  const ended = endedSince(list, appointment?.id);
  if (appointment === null || ended === null)
    return (
      <Page title={t('payment.success')} screen="success">
        <PaymentSuccess {...props} />
      </Page>
    );
  return (
    <Page title={t(`booking.${ended}`)} screen="success">
      <Notice kind="caution" role="alert" unasked>
        <p>{t(`booking.${ended}Text`, { appointment: sentenceOf(appointment) })}</p>
      </Notice>
      {appointment.paidAmount > 0 && <p>{paidWords(appointment, reference)}</p>}
      <ToAppointments />
    </Page>
  );
}

/** Shows the booked appointment and what comes next. */
function PaymentSuccess({ appointment, reference, lookThere }: PaymentSuccessProps) {
  const mode = appointment?.mode ?? null;
  return (
    <>
      <BookedCard
        sentence={appointment && sentenceOf(appointment)}
        booked={
          appointment && {
            bookingNumber: appointment.bookingId ?? appointment.id,
            start: appointment.startTime,
            end: appointment.endTime,
            sequence: appointment.sequence ?? 0,
            mode,
          }
        }
      >
        {appointment && appointment.paidAmount > 0 && <p>{paidWords(appointment, reference)}</p>}
        {lookThere && (
          <Notice role="status">
            <p>{t('payment.lookThere')}</p>
          </Notice>
        )}
      </BookedCard>
      <section className={styles.next}>
        <h2 className={styles.heading}>{t('payment.whatsNext')}</h2>
        <ul className={styles.list}>
          <li>{t('payment.nextEmail')}</li>
          <li>{t('payment.nextDetails')}</li>
          {mode === 'phone' && <li>{t('payment.nextPhone')}</li>}
          {(mode === 'inPerson' || mode === null) && (
            <>
              <li>{t('payment.nextEarly')}</li>
              <li>{t('payment.nextBring')}</li>
            </>
          )}
          {appointment &&
            changesOf(appointment).map((sentence) => <li key={sentence}>{sentence}</li>)}
        </ul>
        <p>{t('payment.changes')}</p>
        <ClinicContact placed={isAtClinic(mode)} />
      </section>
      <ToAppointments />
    </>
  );
}

function ToAppointments() {
  return (
    <div className={styles.actions}>
      <ButtonLink to={patientPages.appointments}>{t('payment.toAppointments')}</ButtonLink>
    </div>
  );
}

function sentenceOf(appointment: ApiAppointment): string {
  const { startTime, doctor, displayInfo } = appointment;
  const description = typeName(appointment);
  const when = formatMoment(locale(), startTime);
  const who = doctorOfAppointment({ doctor, displayInfo }, []);
  return who === null
    ? t('payment.appointment', { description, when })
    : t('booking.bookedText', { description, when, doctor: doctorName(who) });
}

const paidWords = ({ paidAmount }: ApiAppointment, reference: string | null) =>
  receiptWords({ cents: centsOf(paidAmount) ?? 0, reference });

type Refused = CallAnswer<'charge'>['extras'];

interface PaymentFailureProps {
  /** The service's answer about the payment, or the error that prevented it. */
  failure: Refused | Error;
  onRetry: () => void;
}

/** Says why the payment is not confirmed, and how to reach the clinic. */
function PaymentFailure({ failure, onRetry }: PaymentFailureProps) {
  const declined = !(failure instanceof Error) && failure.code === 'cardDeclined';
  return (
    <>
      <Notice kind={isUndecided(failure) ? 'caution' : 'danger'} role="alert" unasked>
        <p>{wordsOf(failure)}</p>
        {declined && <p>{t('payment.anotherCard')}</p>}
      </Notice>
      <section className={styles.next}>
        <h2 className={styles.heading}>{t('payment.contact')}</h2>
        <ClinicContact />
      </section>
      <div className={styles.actions}>
        {isChanged(failure) || isUndecided(failure) ? (
          <ButtonLink to={patientPages.appointments}>{t('payment.toAppointments')}</ButtonLink>
        ) : (
          <ButtonLink to={patientPages.booking}>{t('payment.returnHome')}</ButtonLink>
        )}
        {mayChange(failure) && (
          <Button
            variant="secondary"
            icon={<RotateCw size={18} aria-hidden="true" />}
            onClick={onRetry}
          >
            {t('ui.tryAgain')}
          </Button>
        )}
      </div>
    </>
  );
}

function wordsOf(failure: Refused | Error): string {
  if (!(failure instanceof Error)) {
    const { message: ofService } = failure;
    return ofService || t('payment.failed');
  }
  if (!(failure instanceof ApiError) || failure.unreachable) return t('payment.unreachable');
  return failure.says ?? t('payment.httpError', { status: failure.status });
}

/** True when the payment is over but the appointment changed since: My Appointments shows it. */
const isChanged = (failure: Refused | Error) =>
  !(failure instanceof Error) && failure.code === 'bookingChanged';

/** True while nobody knows yet whether the payment, or the appointment that it pays, stands. */
const isUndecided = (failure: Refused | Error) =>
  failure instanceof ApiError &&
  (failure.code === 'clinicConfirming' || failure.code === 'paymentUnknown');

function titleOf(failure: Refused | Error) {
  if (isUndecided(failure)) return 'payment.undecided';
  return isChanged(failure) ? 'payment.changed' : 'payment.failure';
}

/** True when asking again may get another answer. */
function mayChange(failure: Refused | Error): boolean {
  if (!(failure instanceof Error)) return failure.code === 'paymentPending';
  return !(failure instanceof ApiError) || failure.unreachable || failure.status >= 429;
}
