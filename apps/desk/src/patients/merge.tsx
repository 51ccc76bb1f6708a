import type { CallAnswer } from '@clinic/contract';
import { formatDay, formatLongDate } from '@clinic/texts';
import { toClinic } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api.ts';
import { Finder } from '../booking/finder.tsx';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { Fact } from './fact.tsx';
import { type Patient, nameOf, whyNot } from './patient-data.ts';
import styles from './patients.module.css';

interface MergingProps {
  patient: Patient;
  onDone: (says: string) => void;
}

/** Merges two records of one person, and lists merges that can still be undone. */
export function Merging({ patient, onDone }: MergingProps) {
  const may = useMay();
  const [isAsked, setAsked] = useState(false);
  if (patient.isInEmr) return null;
  return (
    <>
      {patient.merges.map((merge) => (
        <Merged key={merge.id} merge={merge} onDone={onDone} />
      ))}
      {may('mergePatients') && (
        <div className={styles.buttons}>
          <Button variant="secondary" onClick={() => setAsked(true)}>
            {t('desk.merge')}
          </Button>
        </div>
      )}
      {isAsked && <MergeDialog patient={patient} onClose={() => setAsked(false)} onDone={onDone} />}
    </>
  );
}

interface MergedProps extends Pick<MergingProps, 'onDone'> {
  merge: Patient['merges'][number];
}

function Merged({ merge, onDone }: MergedProps) {
  const may = useMay();
  const { id, recordId, name, birthDate, at, undoUntil } = merge;
  const undo = useMutation({
    mutationFn: () => ask('deskUndoMerge', { params: { id }, body: {} }),
    onSuccess: () => onDone(t('desk.mergeUndone', { record: recordId })),
  });
  const day = (when: number) => formatDay(locale, toClinic(when).date);
  return (
    <>
      <p>
        {t('desk.mergedWith', { name, born: birthDate, record: recordId, when: day(at) })}{' '}
        {t('desk.mergeUndoUntil', { until: day(undoUntil) })}
      </p>
      {may('mergePatients') && (
        <div className={styles.buttons}>
          <Button
            variant="secondary"
            busy={undo.isPending}
            busyLabel={t('desk.mergeUndoing')}
            onClick={() => undo.mutate()}
          >
            {t('desk.mergeUndo', { record: recordId })}
          </Button>
        </div>
      )}
      <ActionOutcome press={undo.submittedAt}>{whyNot(undo.error)}</ActionOutcome>
    </>
  );
}

interface MergeDialogProps extends MergingProps {
  onClose: () => void;
}

function MergeDialog({ patient, onClose, onDone }: MergeDialogProps) {
  const [other, setOther] = useState<string>();
  const title = t('desk.mergeTitle', { name: nameOf(patient) });
  if (other === undefined)
    return (
      <Dialog title={title} size="large" onClose={onClose} key="find">
        <p>{t('desk.mergeFind')}</p>
        <Finder onPick={({ recordId }) => setOther(recordId)} />
      </Dialog>
    );
  return (
    <Preview
      recordId={patient.recordId}
      other={other}
      title={title}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

interface PreviewProps extends Omit<MergeDialogProps, 'patient'> {
  recordId: string;
  other: string;
  title: string;
}

function Preview({ recordId, other, title, onClose, onDone }: PreviewProps) {
  const [, goTo] = useLocation();
  const asked = { params: { id: recordId }, body: { other } };
  const foreseen = useQuery({
    queryKey: ['merge', recordId, other],
    queryFn: async () => (await ask('deskForeseeMerge', asked)).extras,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const { data } = foreseen;
  if (!data)
    return (
      <Dialog title={title} size="large" onClose={onClose} key="waits">
        {foreseen.isPending ? (
          <LoadingState />
        ) : (
          <FailedState onRetry={() => void foreseen.refetch()} busy={foreseen.isFetching}>
            {foreseen.error?.message}
          </FailedState>
        )}
      </Dialog>
    );
  const { kept, gone } = data;
  return (
    <ChangeDialog
      title={title}
      does={t('desk.mergeDo')}
      doing={t('desk.merging')}
      isDanger
      onClose={onClose}
      onDone={(says) => {
        onClose();
        if (kept.recordId === recordId) onDone(says);
        // This page is left, so the other one says it.
        else goTo(`/patients/${kept.recordId}`, { state: { says } });
      }}
      onChange={async () => {
        await ask('deskMergePatients', asked);
        return t('desk.merged', { kept: kept.recordId, gone: gone.recordId });
      }}
    >
      <p>{t('desk.mergeAbout', { appointments: gone.appointments })}</p>
      <Side title={t('desk.mergeKept')} side={kept} />
      <Side title={t('desk.mergeGone')} side={gone} />
    </ChangeDialog>
  );
}

interface SideProps {
  title: string;
  side: CallAnswer<'deskForeseeMerge'>['extras']['kept'];
}

function Side({ title, side }: SideProps) {
  const { name, birthDate, recordId, hasCard, cardProvince, hasAccount } = side;
  return (
    <section>
      <h3>{title}</h3>
      <dl className={styles.facts}>
        <Fact name={t('desk.mergeName')}>{name}</Fact>
        <Fact name={t('desk.birthDate')}>{formatLongDate(locale, birthDate)}</Fact>
        <Fact name={t('desk.card')}>{hasCard ? cardProvince : t('desk.cardNone')}</Fact>
        <Fact name={t('desk.record')}>{recordId}</Fact>
        <Fact name={t('desk.mergeAccount')}>
          {t(hasAccount ? 'desk.mergeHasAccount' : 'desk.mergeNoAccount')}
        </Fact>
        <Fact name={t('desk.appointments')}>
          {t('desk.mergeCounts', { all: side.appointments, upcoming: side.upcoming })}
        </Fact>
      </dl>
    </section>
  );
}
