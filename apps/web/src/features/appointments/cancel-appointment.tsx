import { useQueryClient } from '@tanstack/react-query';
import { feeWords } from '@clinic/contract/change-texts';
import { allowedChanges } from '@clinic/domain';
import type { ApiAppointment, ApiDoctor } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { useRef, useState } from 'react';
import { locale, t } from '../../messages/t.ts';
import { TypeName } from '../../shared/clinic-words.tsx';
import { ApiError, UserFacingError, messageOf } from '@clinic/app/api-error';
import { appointmentsQuery, isMoved } from '../../api/appointments.ts';
import { clinicNow } from '@clinic/app/clock';
import { callUntilKnown } from '../../api/until-known.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { useAction } from '../../shared/use-action.ts';
import styles from './cancel-appointment.module.css';
import {
  doctorWords,
  endedWords,
  whenWords,
  type ListedAppointment,
} from './listed-appointment.ts';

interface CancelAppointmentProps {
  appointment: ListedAppointment;
  doctors: readonly ApiDoctor[];
  onClose: () => void;
}

/** Confirms a cancellation. A failure is shown beside the button, and the patient stays here. */
export function CancelAppointment({ appointment, doctors, onClose }: CancelAppointmentProps) {
  const queryClient = useQueryClient();
  const { api } = appointment;
  const fee = feeWords(locale(), allowedChanges(appointment, clinicNow()));
  const [checking, setChecking] = useState(false);
  // The patient may go Back before the answer arrives; it is then announced on whatever page.
  const screen = useRef<HTMLDivElement>(null);
  /** One that was moved in another tab or on another device stands at its new time. */
  const wasMoved = async () => {
    const list = { ...appointmentsQuery(), staleTime: 0, retry: false } as const;
    const now = await queryClient.fetchQuery(list).catch(() => null);
    return now?.appointments.some((each) => each.id === api.id && isMoved(each)) === true;
  };
  const loadAgain = () =>
    void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
  const cancel = useAction({
    work: async () => {
      const known = await callUntilKnown('cancelAppointment', { params: { id: api.id } }, () =>
        setChecking(true),
      );
      setChecking(false);
      if (known.kind === 'refused') throw new ApiError(known.refused);
      if (known.kind === 'unknown')
        throw new UserFacingError(known.message ?? t('appointments.cancelUnknown'));
      const { code, message } = known.answer.extras;
      if (code === 'cancelSent') return message;
      return t((await wasMoved()) ? 'appointments.notCancelledMoved' : 'appointments.cancelDone');
    },
    onDone: (words) => {
      announce('success', words);
      loadAgain();
      if (screen.current) onClose();
    },
    onFailed: (error) => {
      loadAgain();
      // The list shows the appointment's present state.
      const isChanged = error instanceof ApiError && error.code === 'changedByClinic';
      if (!screen.current || isChanged) announce('error', failureWords(error));
      if (isChanged && screen.current) onClose();
    },
  });

  // The own cancellation is told once it is done.
  const ended = cancel.pending || cancel.result !== undefined ? null : endedWords(api);
  if (ended !== null)
    return (
      <div className={styles.screen}>
        <Notice kind="caution" role="alert" unasked>
          <p>{ended}</p>
        </Notice>
        <Concerned api={api} doctors={doctors} />
        <div className={styles.actions}>
          <Button variant="secondary" onClick={onClose}>
            {t('appointments.back')}
          </Button>
        </div>
      </div>
    );
  return (
    <div
      ref={screen}
      className={styles.screen}
      aria-busy={cancel.pending}
      data-acts-on={`${api.id} ${api.startTime} ${fee}`}
    >
      {cancel.pending && (
        <div className={styles.overlay}>
          <Spinner label={t(checking ? 'appointments.checking' : 'appointments.cancelling')} />
        </div>
      )}
      <p className={styles.question}>{t('appointments.cancelQuestion')}</p>
      <Concerned api={api} doctors={doctors} />
      {fee !== null && (
        <Notice kind="caution">
          <p>{fee}</p>
        </Notice>
      )}
      <ActionOutcome
        press={cancel.press}
        kind={cancel.error instanceof ApiError ? 'danger' : 'caution'}
      >
        {cancel.error && failureWords(cancel.error)}
      </ActionOutcome>
      <div className={styles.actions}>
        <Button variant="danger" busy={cancel.pending} onClick={() => cancel.run()}>
          {t('appointments.confirmCancel')}
        </Button>
        <Button variant="secondary" disabled={cancel.pending} onClick={onClose}>
          {t('appointments.back')}
        </Button>
      </div>
    </div>
  );
}

interface ConcernedProps {
  api: ApiAppointment;
  doctors: readonly ApiDoctor[];
}

/** The appointment that the screen is about. */
function Concerned({ api, doctors }: ConcernedProps) {
  return (
    <Card className={styles.appointment}>
      <p className={styles.what}>
        <TypeName of={api} />
      </p>
      <p className={styles.when}>{whenWords(api)}</p>
      <p translate="no">{doctorWords(api, doctors)}</p>
    </Card>
  );
}

const failureWords = (error: Error) => messageOf(error, t('appointments.cancelFailed'));
