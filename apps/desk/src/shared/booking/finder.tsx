import type { ApiFoundPatient, CallAnswer } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useQueryClient } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { ask } from '../api.ts';
import { Outcome, useAction } from '../desk-action.tsx';
import { t } from '../words.ts';
import styles from './booking.module.css';
import { FoundCharts } from './found-charts.tsx';
import { FoundList } from './found-list.tsx';

export interface FinderProps {
  onPick: (patient: ApiFoundPatient) => void;
  /** Offers to open a record for a new patient under every answer; called with what was typed. */
  onNew?: ((typed: string) => void) | undefined;
  /** Also finds whom the EMR has and nobody here knows; called with their account or record once they are chosen. */
  onPerson?: ((id: string) => void) | undefined;
  /** Restores the last search. */
  keepsSearch?: boolean;
  /** Whom it looks for, where that is not anybody. */
  label?: string;
  /** For its field. */
  comeIn?: Ref<HTMLInputElement> | undefined;
}

/** A whole name fits, and the service takes as much. */
const MOST_SEARCH = 250;

type Search = CallAnswer<'deskFindPatients'>['extras'] & { readonly text: string };

/** The last search of the patients page; kept in memory only and dropped with the data shown. */
const LAST_SEARCH = ['patients', 'found'];

/** Searches for a patient; the first result takes the focus if nothing else was pressed meanwhile. */
export function Finder({
  onPick,
  onNew,
  onPerson,
  keepsSearch = false,
  label = t('desk.findWhom'),
  comeIn: comeInField,
}: FinderProps) {
  const queries = useQueryClient();
  const last = keepsSearch ? queries.getQueryData<Search>(LAST_SEARCH) : undefined;
  const [text, setText] = useState(last?.text ?? '');
  // An answer may come after other words were sent.
  const sent = useRef('');
  const find = useAction({
    work: async (typed: string) =>
      (await ask('deskFindPatients', { body: { text: typed } })).extras,
    onDone(found, typed) {
      if (typed !== sent.current) return;
      if (found.hasEmr === true && onPerson !== undefined) charts.run(typed);
      if (keepsSearch) queries.setQueryData<Search>(LAST_SEARCH, { ...found, text: typed });
    },
    gcTime: 0,
    changes: () => false,
  });
  /** What stands in the field is being looked for. */
  const isAsked = find.pending && find.input === text;
  // Whom we know here is shown at once; what the EMR has comes after.
  const charts = useAction({
    work: async (typed: string) => (await ask('deskFindCharts', { body: { text: typed } })).extras,
    gcTime: 0,
    changes: () => false,
  });
  const comeIn = useComeIn(find.press);
  // What was found before is not what is being looked for.
  const {
    patients = [],
    soundsLike = [],
    hasMore = false,
    hasEmr = false,
  } = find.result ?? (find.press === 0 ? last : undefined) ?? {};
  return (
    <div className={styles.stack}>
      <form
        className={styles.search}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (isAsked) return;
          sent.current = text;
          charts.forget();
          find.forget();
          find.run(text);
        }}
      >
        <TextField
          label={label}
          ref={comeInField}
          hint={t('desk.findHint')}
          required
          data-autofocus=""
          autoComplete="off"
          maxLength={MOST_SEARCH}
          value={text}
          onChange={setText}
        />
        <Button type="submit" busy={isAsked} busyLabel={t('desk.finding')}>
          {t('desk.find')}
        </Button>
      </form>
      <Outcome of={find} />
      {find.done && patients.length === 0 && (
        <Notice role="status">
          <p>{t(hasEmr ? 'desk.foundNobodyHere' : 'desk.foundNobody')}</p>
        </Notice>
      )}
      {patients.length > 0 && (
        <FoundList
          key={find.press}
          patients={patients}
          label={t('desk.found')}
          comeIn={comeIn}
          onPick={onPick}
        />
      )}
      {hasMore && <p className={styles.soft}>{t('desk.foundMore')}</p>}
      {soundsLike.length > 0 && (
        <>
          <h3>{t('desk.soundsLike')}</h3>
          <FoundList
            key={`sounds ${find.press}`}
            patients={soundsLike}
            label={t('desk.soundsLike')}
            onPick={onPick}
          />
        </>
      )}
      {find.done && onPerson && charts.press !== 0 && (
        <FoundCharts
          key={`charts ${charts.press}`}
          search={charts}
          listed={[...patients, ...soundsLike]}
          comeIn={patients.length === 0 ? comeIn : undefined}
          onPerson={onPerson}
        />
      )}
      {find.done && onNew && (
        <div>
          <Button variant="secondary" onClick={() => onNew(text)}>
            {t('desk.newPatientNamed', { typed: text })}
          </Button>
        </div>
      )}
    </div>
  );
}
