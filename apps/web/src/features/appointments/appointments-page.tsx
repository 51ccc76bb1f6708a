import { ELIGIBILITY_RULES } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { Notice } from '@clinic/ui/notice';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { t } from '../../messages/t.ts';
import { moveAppointment } from '../../shared/booking-link.ts';
import { useUser } from '../../shared/session/session.ts';
import { Page } from '../../shared/shell/page.tsx';
import { CancelAppointment } from './cancel-appointment.tsx';
import { AppointmentList } from './appointment-list.tsx';
import type { ListedAppointment } from './listed-appointment.ts';

/** The screen that Back and a reload restore: it stands in the history, not in the address. */
interface Screen {
  readonly cancelling?: string;
}

/** My Appointments, and the screen that confirms a cancellation. */
export function AppointmentsPage() {
  const { eligibility } = useUser();
  const navigate = useNavigate();
  const { cancelling } = (useLocation().state ?? {}) as Screen;
  const [moving, setMoving] = useState<ListedAppointment | null>(null);

  const show = (screen: Screen) => void navigate('/appointments', { state: screen });
  const back = () => void navigate(-1);

  if (cancelling !== undefined)
    return (
      <Page title={t('appointments.cancelTitle')} screen="cancel">
        <CancelAppointment id={cancelling} onClose={back} />
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
      {moving && (
        <RescheduleDialog
          onClose={() => setMoving(null)}
          onConfirm={() => {
            void navigate('/', { state: moveAppointment(moving.api.id, moving.api.code) });
          }}
        />
      )}
    </Page>
  );
}

/** Asks before the booking starts for the appointment that is to move. */
function RescheduleDialog({ onConfirm, onClose }: { onConfirm: () => void; onClose: () => void }) {
  return (
    <Dialog
      kind="alert"
      title={t('appointments.warning')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onConfirm}>{t('appointments.rescheduleYes')}</Button>
          <Button variant="secondary" onClick={onClose}>
            {t('appointments.rescheduleNo')}
          </Button>
        </>
      }
    >
      <p>{t('appointments.rescheduleQuestion')}</p>
    </Dialog>
  );
}
