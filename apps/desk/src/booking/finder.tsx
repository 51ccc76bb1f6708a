import type { ApiFoundPatient, CallAnswer } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { t } from '../words.ts';
import { moveByArrows } from './arrows.ts';
import styles from './booking.module.css';

interface FinderProps {
  onPick: (patient: ApiFoundPatient) => void;
  /** Offers to open a record for a new patient when nobody was found. */
  onNew?: (() => void) | undefined;
  /** Restores the last search. */
  keepsSearch?: boolean;
}

type Search = CallAnswer<'deskFindPatients'>['extras'] & { readonly text: string };

/** The last search of the patients page; kept in memory only and dropped with the data shown. */
const LAST_SEARCH = ['patients', 'found'];

/** Searches for a patient; the first result takes the focus. */
export function Finder({ onPick, onNew, keepsSearch = false }: FinderProps) {
  const queries = useQueryClient();
  const last = keepsSearch ? queries.getQueryData<Search>(LAST_SEARCH) : undefined;
  const [text, setText] = useState(last?.text ?? '');
  const find = useMutation({
    mutationFn: async () => (await ask('deskFindPatients', { body: { text } })).extras,
    onSuccess(found) {
      if (keepsSearch) queries.setQueryData<Search>(LAST_SEARCH, { ...found, text });
    },
    gcTime: 0,
  });
  const { patients = [], hasMore = false } = find.data ?? last ?? {};
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
      {find.isSuccess && patients.length === 0 && onNew && (
        <div>
          <Button variant="secondary" onClick={onNew}>
            {t('desk.foundNobodyNew')}
          </Button>
        </div>
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

interface FoundProps extends Pick<FinderProps, 'onPick'> {
  patient: ApiFoundPatient;
  isFirst: boolean;
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
      onClick={() => onPick(patient)}
    >
      <b>{name}</b>
      <span>{t('desk.bornOn', { date: birthDate })}</span>
      <span className={styles.soft}>
        {t('desk.recordNo', { record: recordId })}
        {patientId === null && `, ${t('desk.noAccountYet')}`}
      </span>
    </button>
  );
}

const takeFocus = (node: HTMLElement | null) => node?.focus();
