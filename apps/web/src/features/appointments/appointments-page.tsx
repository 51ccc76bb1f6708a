import { ELIGIBILITY_RULES } from '@clinic/domain';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../messages/t.ts';
import { keepRescheduleTarget } from '../../shared/reschedule-target.ts';
import { useUser } from '../../shared/session/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { CancelVisit } from './cancel-visit.tsx';
import { VisitList } from './visit-list.tsx';
import type { Visit } from './visit.ts';

/** My Appointments, and the screen that confirms a cancellation. */
export function AppointmentsPage() {
  const { eligibility } = useUser();
  const navigate = useNavigate();
  const [cancelling, setCancelling] = useState<Visit | null>(null);
  const [moving, setMoving] = useState<Visit | null>(null);

  if (cancelling)
    return (
      <Page title={t('appointments.cancelTitle')} screen="cancel">
        <CancelVisit visit={cancelling} onClose={() => setCancelling(null)} />
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
      <VisitList onCancel={setCancelling} onReschedule={setMoving} />
      {moving && (
        <RescheduleDialog
          onClose={() => setMoving(null)}
          onConfirm={() => {
            keepRescheduleTarget(moving.wire.id);
            void navigate('/');
          }}
        />
      )}
    </Page>
  );
}

/** Asks before the booking starts for the visit that is to move. */
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
