import type { ApiFoundPatient } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { t } from '../words.ts';
import { moveByArrows } from './arrows.ts';
import styles from './booking.module.css';

/** Looks for a patient; the first who is found has the focus. */
export function Finder({ onPick }: { onPick: (patientId: string) => void }) {
  const [text, setText] = useState('');
  const find = useMutation({
    mutationFn: async () => (await ask('deskFindPatients', { body: { text } })).extras,
    gcTime: 0,
  });
  const { patients = [], hasMore = false } = find.data ?? {};
  return (
    <div className={styles.stack}>
      <form
        className={styles.search}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (!find.isPending) find.mutate();
        }}
      >
        <TextField
          label={t('desk.findWhom')}
          hint={t('desk.findHint')}
          required
          data-autofocus=""
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={setText}
        />
        <Button type="submit" busy={find.isPending} busyLabel={t('desk.finding')}>
          {t('desk.find')}
        </Button>
      </form>
      <ActionOutcome press={find.submittedAt}>{find.error?.message}</ActionOutcome>
      {find.isSuccess && patients.length === 0 && (
        <Notice role="status">
          <p>{t('desk.foundNobody')}</p>
        </Notice>
      )}
      {patients.length > 0 && (
        <ul
          key={find.submittedAt}
          className={styles.choices}
          aria-label={t('desk.found')}
          onKeyDown={moveByArrows}
        >
          {patients.map((patient, at) => (
            <li key={patient.patientId ?? patient.recordId}>
              <Found patient={patient} isFirst={at === 0} onPick={onPick} />
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className={styles.soft}>{t('desk.foundMore')}</p>}
    </div>
  );
}

interface FoundProps {
  patient: ApiFoundPatient;
  isFirst: boolean;
  onPick: (patientId: string) => void;
}

function Found({ patient, isFirst, onPick }: FoundProps) {
  const { patientId, name, birthDate, recordId } = patient;
  return (
    <button
      type="button"
      className={styles.choice}
      data-choice=""
      tabIndex={isFirst ? 0 : -1}
      ref={isFirst ? takeFocus : undefined}
      aria-disabled={patientId === null || undefined}
      onClick={() => {
        if (patientId !== null) onPick(patientId);
      }}
    >
      <b>{name}</b>
      <span>{t('desk.bornOn', { date: birthDate })}</span>
      <span className={styles.soft}>
        {patientId === null ? t('desk.cannotBook') : t('desk.recordNo', { record: recordId })}
      </span>
    </button>
  );
}

const takeFocus = (node: HTMLElement | null) => node?.focus();
