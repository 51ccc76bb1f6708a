import { LoadState } from '@clinic/app/outcome';
import type { ApiSheetAppointment } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { Alerts } from './alerts.tsx';
import { DeskDialog } from '../under-way.tsx';
import { offerUndo } from '../undo.ts';
import { locale, t } from '../words.ts';
import { type Place, optionsQuery } from './booking-data.ts';
import styles from './booking.module.css';
import { shownTime } from './shown-time.ts';
import { TimeChooser } from './time-chooser.tsx';

interface MoveDialogProps {
  appointment: ApiSheetAppointment;
  /** The patient: the id of an account, or the number of a record without one. */
  person: string;
  /** Where the appointment was dropped. */
  to?: Place | undefined;
  onClose: () => void;
  /** Reports the appointment's new time as a sentence. */
  onMoved: (says: string) => void;
}

/** Moves an appointment to another time or provider. */
export function MoveDialog({ appointment, person, to, onClose, onMoved }: MoveDialogProps) {
  const { id, type, description, start, patient, hasAccount } = appointment;
  const options = useQuery(optionsQuery(person));
  const [wantedBy, setWantedBy] = useState<'patient' | 'clinic'>('patient');
  const { data } = options;
  return (
    <DeskDialog
      title={t('desk.moveTitle', { name: patient ?? '' })}
      size="large"
      actsOn={`${id} ${start}`}
      onClose={onClose}
    >
      <p className={styles.soft}>{t('desk.moveFrom', { when: formatMoment(locale(), start) })}</p>
      <LoadState of={options} />
      <Alerts alerts={data?.alerts} />
      {data?.block && data.block !== 'none' && (
        <Notice kind="caution">{t('desk.moveBlocked')}</Notice>
      )}
      <TimeChooser
        person={person}
        type={type}
        providers={data?.providers ?? []}
        purpose="move"
        keptAs={`move ${id}`}
        how={wantedBy}
        chosen={to}
        facts={[
          [t('desk.patient'), patient ?? ''],
          [t('desk.whichType'), description],
          [t('desk.movedFrom'), formatMoment(locale(), start)],
          [t('desk.told'), t(hasAccount ? 'desk.toldByEmail' : 'desk.toldByYou')],
        ]}
        does={t('desk.moveHere')}
        choices={
          <SelectField
            label={t('desk.moveWantedBy')}
            hint={t('desk.moveWantedByHint')}
            options={[
              { value: 'patient', label: t('desk.moveWantedBy.patient') },
              { value: 'clinic', label: t('desk.moveWantedBy.clinic') },
            ]}
            value={wantedBy}
            onChange={setWantedBy}
          />
        }
        onPlace={async (place, key) =>
          (
            await ask('deskMoveAppointment', {
              params: { id },
              headers: { 'idempotency-key': key },
              body: { ...place, wantedBy },
            })
          ).extras
        }
        onPlaced={({ isTold, start: at, providerId, undo }) => {
          offerUndo(undo, { kind: 'move', whom: patient ?? '', start: at, isTold });
          onMoved(
            t(isTold ? 'desk.moved' : 'desk.movedUntold', {
              type: description,
              when: shownTime(at),
              provider: data?.providers.find((each) => each.id === providerId)?.name ?? '',
            }),
          );
        }}
      />
    </DeskDialog>
  );
}
