import { useMutation, useQueryClient } from '@tanstack/react-query';
import { feeKeptWords } from '@clinic/contract/change-texts';
import { allowedChanges } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { appointmentsQuery } from '../../api/appointments.ts';
import { clinicNow } from '../../api/clock.ts';
import { callUntilKnown } from '../../api/until-known.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './cancel-appointment.module.css';
import { doctorWords, whenWords, type ListedAppointment } from './listed-appointment.ts';

/** The confirmation screen. A failure is an alert, and the patient stays here. */
export function CancelAppointment({
  appointment,
  onClose,
}: {
  appointment: ListedAppointment;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const { api } = appointment;
  const feeKept = feeKeptWords(allowedChanges(appointment, clinicNow()));
  const doctors = queryClient.getQueryData(appointmentsQuery().queryKey)?.doctors ?? [];
  const [checking, setChecking] = useState(false);
  const cancel = useMutation({
    mutationFn: async () => {
      const known = await callUntilKnown('cancelAppointment', { params: { id: api.id } }, () =>
        setChecking(true),
      );
      setChecking(false);
      if (known.kind === 'refused') throw new ApiError(known.refused);
      if (known.kind === 'unknown') throw new Error(t('appointments.cancelUnknown'));
    },
    onSuccess: () => {
      announce('success', t('appointments.cancelDone'));
      onClose();
    },
    onError: () =>
      void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) }),
  });

  return (
    <div className={styles.screen} aria-busy={cancel.isPending}>
      {cancel.isPending && (
        <div className={styles.overlay}>
          <Spinner label={t(checking ? 'appointments.checking' : 'appointments.cancelling')} />
        </div>
      )}
      <p className={styles.question}>{t('appointments.cancelQuestion')}</p>
      <Card className={styles.appointment}>
        <p className={styles.what}>{api.description}</p>
        <p className={styles.when}>{whenWords(api)}</p>
        <p>{doctorWords(api, doctors)}</p>
      </Card>
      {feeKept !== null && (
        <Notice kind="caution">
          <p>{feeKept}</p>
        </Notice>
      )}
      {cancel.error && (
        <Notice kind={cancel.error instanceof ApiError ? 'danger' : 'caution'} role="alert">
          <p>
            {cancel.error instanceof ApiError
              ? messageOf(cancel.error, t('appointments.cancelFailed'))
              : cancel.error.message}
          </p>
        </Notice>
      )}
      <div className={styles.actions}>
        <Button variant="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('appointments.confirmCancel')}
        </Button>
        <Button variant="secondary" disabled={cancel.isPending} onClick={onClose}>
          {t('appointments.back')}
        </Button>
      </div>
    </div>
  );
}
