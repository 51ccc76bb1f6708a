import { useQuery } from '@tanstack/react-query';
import type { ApiAppointment, ApiDoctor } from '@clinic/contract';
import { ELIGIBILITY_RULES, patientPages } from '@clinic/domain';
import { Notice } from '@clinic/ui/notice';
import { LoadingState } from '@clinic/ui/page-states';
import { useState, type ReactNode } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { appointments } from '../../messages/en/appointments.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { typeName } from '../../shared/clinic-words.tsx';
import { appointmentsQuery } from '../../api/appointments.ts';
import { moveAppointment } from '../../shared/booking-link.ts';
import { useUser } from '../../shared/session/session.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
import { CancelAppointment } from './cancel-appointment.tsx';
import { AppointmentList } from './appointment-list.tsx';
import {
  endedWords,
  lastingWords,
  listedFromApi,
  RECEIPTS,
  whenWords,
  type ListedAppointment,
  type Screen,
} from './listed-appointment.ts';
import { Receipt, ReceiptList } from './receipt.tsx';

await loadMessages({ appointments });

/** My Appointments, the screen that confirms a cancellation, and the receipts. */
export function AppointmentsPage() {
  const { eligibility } = useUser();
  const { cancelling, opened } = useHistoryState<Screen | null>() ?? {};
  const [query] = useSearchParams();
  const receiptOf = query.get('receipt');
  const [moving, setMoving] = useState<ListedAppointment | null>(null);
  const movingNow = useQuery(appointmentsQuery()).data?.appointments.find(
    ({ id }) => id === moving?.api.id,
  );

  const show = (screen: Screen) => navigate(patientPages.appointments, { state: screen });
  const back = () => window.history.back();

  if (cancelling !== undefined)
    return (
      <Page title={t('appointments.cancelTitle')} screen="cancel">
        <OneAppointment id={cancelling}>
          {(appointment, doctors) => (
            <CancelAppointment appointment={appointment} doctors={doctors} onClose={back} />
          )}
        </OneAppointment>
      </Page>
    );
  if (receiptOf !== null)
    return (
      <Page title={t('appointments.receipt')} screen="receipt">
        <OneAppointment id={receiptOf}>
          {({ api }, doctors) => (
            <Receipt
              appointment={api}
              doctors={doctors}
              onClose={() => (opened ? back() : navigate(RECEIPTS, { replace: true }))}
            />
          )}
        </OneAppointment>
      </Page>
    );
  if (query.get('view') === 'receipts')
    return (
      <Page title={t('appointments.receipts')} screen="receipts">
        <ReceiptList />
        <div>
          <ButtonLink variant="secondary" to={patientPages.appointments}>
            {t('appointments.back')}
          </ButtonLink>
        </div>
      </Page>
    );
  return (
    <Page title={t('appointments.title')} screen="list" width="form">
      <Notice kind="caution">
        <p>
          {t(
            ELIGIBILITY_RULES[eligibility].privatePatient
              ? 'appointments.bannerPrivate'
              : 'appointments.bannerOthers',
          )}
        </p>
      </Notice>
      <AppointmentList
        onCancel={({ api }) => show({ cancelling: api.id })}
        onReschedule={setMoving}
      />
      <p>
        <Link to={RECEIPTS}>{t('appointments.receipts')}</Link>
      </p>
      {moving && (
        <RescheduleDialog
          appointment={movingNow ?? moving.api}
          onClose={() => setMoving(null)}
          onConfirm={() => {
            navigate(patientPages.booking, {
              state: moveAppointment(moving.api.id, moving.api.code),
            });
          }}
        />
      )}
    </Page>
  );
}

interface OneAppointmentProps {
  id: string;
  children: (appointment: ListedAppointment, doctors: readonly ApiDoctor[]) => ReactNode;
}

/** One appointment by id. After a reload it may still be loading; if it does not come, the list is shown. */
function OneAppointment({ id, children }: OneAppointmentProps) {
  const recent = useQuery(appointmentsQuery());
  const among = ({ data }: typeof recent) => data?.appointments.find((each) => each.id === id);
  const older = useQuery({
    ...appointmentsQuery({ all: true }),
    enabled: recent.data?.hasOlder === true && !among(recent),
  });
  const api = among(recent) ?? among(older);
  if (api)
    return children(listedFromApi(api), (among(recent) ? recent : older).data?.doctors ?? []);
  if (recent.isPending || older.isLoading)
    return <LoadingState label={t('appointments.loading')} />;
  return <Redirect to={patientPages.appointments} replace />;
}

interface RescheduleDialogProps {
  appointment: ApiAppointment;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before the booking starts to move the appointment. */
function RescheduleDialog({ appointment, onConfirm, onClose }: RescheduleDialogProps) {
  const ended = endedWords(appointment);
  if (ended !== null)
    return (
      <QuestionDialog
        kind="alert"
        title={t('appointments.warning')}
        yes={t('appointments.back')}
        onClose={onClose}
      >
        <p role="alert">{ended}</p>
        <p>
          {t('appointments.typeAndTime', {
            type: typeName(appointment),
            when: whenWords(appointment),
          })}
        </p>
      </QuestionDialog>
    );
  return (
    <QuestionDialog
      kind="alert"
      title={t('appointments.warning')}
      yes={t('appointments.rescheduleYes')}
      onYes={onConfirm}
      no={t('appointments.rescheduleNo')}
      onClose={onClose}
    >
      <p>{t('appointments.rescheduleQuestion')}</p>
      <p>
        {t('appointments.typeAndTime', {
          type: typeName(appointment),
          when: whenWords(appointment),
        })}
      </p>
      <p>{lastingWords(appointment)}</p>
    </QuestionDialog>
  );
}
