import type { ApiSheetAppointment } from '@clinic/contract';
import { formatTime, toClinic } from '@clinic/domain';
import { formatDay, formatMoment } from '@clinic/texts';
import { Dialog } from '@clinic/ui/dialog';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api.ts';
import { locale, t } from '../words.ts';
import { optionsQuery } from './booking-data.ts';
import styles from './booking.module.css';
import { TimeChooser } from './time-chooser.tsx';

interface MoveDialogProps {
  appointment: ApiSheetAppointment;
  patientId: string;
  onClose: () => void;
  /** Says where it is now. */
  onMoved: (says: string) => void;
}

/** Another time, or another provider, for an appointment that stands. */
export function MoveDialog({ appointment, patientId, onClose, onMoved }: MoveDialogProps) {
  const { id, type, start, patient } = appointment;
  const options = useQuery(optionsQuery(patientId));
  const { data } = options;
  return (
    <Dialog title={t('desk.moveTitle', { name: patient ?? '' })} size="large" onClose={onClose}>
      <p className={styles.soft}>{t('desk.moveFrom', { when: formatMoment(locale, start) })}</p>
      {options.isPending && <LoadingState />}
      {options.isError && (
        <FailedState onRetry={() => void options.refetch()} busy={options.isFetching}>
          {options.error.message}
        </FailedState>
      )}
      {data && (
        <TimeChooser
          patientId={patientId}
          type={type}
          providers={data.providers}
          purpose="move"
          onPlace={async (place, key) =>
            (
              await ask('deskMoveAppointment', {
                params: { id },
                headers: { 'idempotency-key': key },
                body: place,
              })
            ).extras
          }
          onPlaced={(to) =>
            onMoved(
              t('desk.moved', {
                when: `${formatDay(locale, toClinic(to.start).date)} ${formatTime(to.start)}`,
                provider: data.providers.find((each) => each.id === to.providerId)?.name ?? '',
              }),
            )
          }
        />
      )}
    </Dialog>
  );
}
