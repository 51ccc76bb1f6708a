import { LoadState } from '@clinic/app/outcome';
import type { CallAnswer } from '@clinic/contract';
import { formatDay, formatLongDate } from '@clinic/texts';
import { pathTo } from '@clinic/app/path-to';
import { toClinic, deskPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { Finder } from '../../shared/booking/finder.tsx';
import { useMay } from '../../shared/may.ts';
import { DeskDialog } from '../../shared/under-way.tsx';
import { locale, t } from '../../shared/words.ts';
import { Fact, Facts } from '../../shared/fact.tsx';
import { type Patient, nameOf, patientDialog } from './patient-data.ts';
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
  const undo = useAction({
    work: () => ask('deskUndoMerge', { params: { id }, body: {} }),
    shows: [['patient']],
    onDone: () => onDone(t('desk.mergeUndone', { record: recordId })),
  });
  const day = (when: number) => formatDay(locale(), toClinic(when).date);
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
            actsOn={`${id} ${recordId}`}
            busy={undo.pending}
            busyLabel={t('desk.mergeUndoing')}
            onClick={() => undo.run()}
          >
            {t('desk.mergeUndo', { record: recordId })}
          </Button>
        </div>
      )}
      <Outcome of={undo} />
    </>
  );
}

interface MergeDialogProps extends MergingProps {
  onClose: () => void;
}

function MergeDialog({ patient, onClose, onDone }: MergeDialogProps) {
  const [, goTo] = useLocation();
  const [other, setOther] = useState<string>();
  const title = t('desk.mergeTitle', { name: nameOf(patient) });
  if (other === undefined)
    return (
      <DeskDialog title={title} size="large" onClose={onClose} key="find">
        <p>{t('desk.mergeFind')}</p>
        <Finder onPick={({ recordId }) => setOther(recordId)} />
      </DeskDialog>
    );
  return (
    <MergePreview
      recordId={patient.recordId}
      other={other}
      title={title}
      onClose={onClose}
      onMerged={(kept, says) => {
        if (kept === patient.recordId) onDone(says);
        // This page is left, so the other one says it.
        else goTo(pathTo(deskPages.patient, { id: kept }), { state: { says } });
      }}
    />
  );
}

interface MergePreviewProps extends Pick<MergeDialogProps, 'onClose'> {
  recordId: string;
  other: string;
  title: string;
  /** Called with the record that stays, and what is said of it. */
  onMerged: (kept: string, says: string) => void;
}

/** Shows two records side by side, and merges them when asked. */
export function MergePreview({ recordId, other, title, onClose, onMerged }: MergePreviewProps) {
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
      <DeskDialog title={title} size="large" onClose={onClose} key="waits">
        <LoadState of={foreseen} />
      </DeskDialog>
    );
  const { kept, gone } = data;
  return (
    <ActionDialog
      title={title}
      actsOn={`${kept.recordId} ${gone.recordId} ${gone.appointments}`}
      does={t('desk.mergeDo')}
      doing={t('desk.merging')}
      isDanger
      {...patientDialog(onClose, (says) => onMerged(kept.recordId, says))}
      work={async () => {
        await ask('deskMergePatients', asked);
        return t('desk.merged', { kept: kept.recordId, gone: gone.recordId });
      }}
    >
      <p>{t('desk.mergeAbout', { appointments: gone.appointments })}</p>
      <Side title={t('desk.mergeKept')} side={kept} />
      <Side title={t('desk.mergeGone')} side={gone} />
    </ActionDialog>
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
      <Facts>
        <Fact name={t('desk.mergeName')}>{name}</Fact>
        <Fact name={t('desk.birthDate')}>{formatLongDate(locale(), birthDate)}</Fact>
        <Fact name={t('desk.card')}>{hasCard ? cardProvince : t('desk.cardNone')}</Fact>
        <Fact name={t('desk.record')}>{recordId}</Fact>
        <Fact name={t('desk.mergeAccount')}>
          {t(hasAccount ? 'desk.mergeHasAccount' : 'desk.mergeNoAccount')}
        </Fact>
        <Fact name={t('desk.appointments')}>
          {t('desk.mergeCounts', { all: side.appointments, upcoming: side.upcoming })}
        </Fact>
      </Facts>
    </section>
  );
}
