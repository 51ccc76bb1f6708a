import type { ApiFoundPatient, CallAnswer } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { t } from '../words.ts';
import styles from './booking.module.css';
import { FoundCharts } from './found-charts.tsx';
import { FoundList } from './found-list.tsx';

interface FinderProps {
  onPick: (patient: ApiFoundPatient) => void;
  /** Offers to open a record for a new patient when nobody was found. */
  onNew?: (() => void) | undefined;
  /** Also finds whom the EMR has and nobody here knows; called with their account or record once they are chosen. */
  onPerson?: ((id: string) => void) | undefined;
  /** Restores the last search. */
  keepsSearch?: boolean;
}

/** A whole name fits, and the service takes as much. */
const MOST_SEARCH = 250;

type Search = CallAnswer<'deskFindPatients'>['extras'] & { readonly text: string };

/** The last search of the patients page; kept in memory only and dropped with the data shown. */
const LAST_SEARCH = ['patients', 'found'];

/** Searches for a patient; the first result takes the focus if nothing else was pressed meanwhile. */
export function Finder({ onPick, onNew, onPerson, keepsSearch = false }: FinderProps) {
  const queries = useQueryClient();
  const last = keepsSearch ? queries.getQueryData<Search>(LAST_SEARCH) : undefined;
  const [text, setText] = useState(last?.text ?? '');
  const find = useMutation({
    mutationFn: async () => (await ask('deskFindPatients', { body: { text } })).extras,
    onSuccess(found) {
      if (found.hasEmr === true && onPerson !== undefined) charts.mutate(text);
      if (keepsSearch) queries.setQueryData<Search>(LAST_SEARCH, { ...found, text });
    },
    gcTime: 0,
  });
  // Whom we know here is shown at once; what the EMR has comes after.
  const charts = useMutation({
    mutationFn: async (typed: string) =>
      (await ask('deskFindCharts', { body: { text: typed } })).extras,
    gcTime: 0,
  });
  const comeIn = useComeIn(find.submittedAt);
  // What was found before is not what is being looked for.
  const {
    patients = [],
    hasMore = false,
    hasEmr = false,
  } = find.data ?? (find.isIdle ? last : undefined) ?? {};
  return (
    <div className={styles.stack}>
      <form
        className={styles.search}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (find.isPending) return;
          charts.reset();
          find.mutate();
        }}
      >
        <TextField
          label={t('desk.findWhom')}
          hint={t('desk.findHint')}
          required
          data-autofocus=""
          autoComplete="off"
          maxLength={MOST_SEARCH}
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
          <p>{t(hasEmr ? 'desk.foundNobodyHere' : 'desk.foundNobody')}</p>
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
        <FoundList
          key={find.submittedAt}
          patients={patients}
          label={t('desk.found')}
          comeIn={comeIn}
          onPick={onPick}
        />
      )}
      {hasMore && <p className={styles.soft}>{t('desk.foundMore')}</p>}
      {find.isSuccess && onPerson && !charts.isIdle && (
        <FoundCharts
          key={`charts ${charts.submittedAt}`}
          search={charts}
          listed={patients}
          comeIn={patients.length === 0 ? comeIn : undefined}
          onPerson={onPerson}
        />
      )}
    </div>
  );
}
