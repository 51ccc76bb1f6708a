import { Spinner } from '@clinic/ui/spinner';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { t } from '../../../messages/t.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '../../../api/clock.ts';
import { request } from '../../../api/service.ts';
import { keptOrigin } from '../../../shared/session/same-origin-path.ts';
import { useUser } from '../../../shared/session/session.ts';
import { Page } from '../../../shared/shell/page.tsx';
import { sawAppointments } from '../../../shared/unsettled-request.ts';
import { PaymentFailure } from './payment-failure.tsx';
import { PaymentSuccess } from './payment-success.tsx';

/**
 * Appointments booked this recently are what a patient without payment parameters comes from
 * (R-42).
 */
const RECENT_SECONDS = 15 * 60;

/** Where the bank sends patients back to, and the end of a payment. */
export function PaymentSuccessPage() {
  const intent = intentIn(useLocation().state);
  return intent === null ? <DirectAccess /> : <Confirmation intent={intent} />;
}

/** Whatever the address said of the outcome, the service is asked. */
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
  if (confirmed.isFetching || confirmed.isPending)
    return (
      <Page title={t('payment.confirming')} screen="confirming">
        <Spinner label={t('payment.oneMoment')} />
      </Page>
    );
  const retry = () => void confirmed.refetch();
  if (confirmed.isError) return <PaymentFailure failure={confirmed.error} onRetry={retry} />;
  const { success, extras } = confirmed.data;
  if (!success) return <PaymentFailure failure={extras} onRetry={retry} />;
  return (
    <PaymentSuccess
      appointment={extras.appointment ?? null}
      reference={extras.reference ?? null}
      lookThere={false}
    />
  );
}

function DirectAccess() {
  const { data, isError } = useQuery(appointmentsQuery());
  const since = clinicNow() - RECENT_SECONDS;
  const recent = data?.appointments
    .filter(({ bookedAt = 0 }) => bookedAt > since)
    .toSorted((one, other) => (other.bookedAt ?? 0) - (one.bookedAt ?? 0));
  const none = isError || recent?.length === 0;
  return <PaymentSuccess appointment={recent?.[0] ?? null} reference={null} lookThere={none} />;
}

/** The payment that the patient came back with, or null for direct access. */
function intentIn(state: unknown): string | null {
  const origin = keptOrigin(state);
  if (origin === null) return null;
  // An empty one is none.
  return new URL(origin, window.location.origin).searchParams.get('payment_intent') || null;
}
