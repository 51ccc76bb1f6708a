import { codeOf, isUnknown } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { ask } from '../api.ts';
import { Outcome, useAction } from '../desk-action.tsx';
import { t } from '../words.ts';
import { consentsQuery } from './booking-data.ts';
import styles from './booking.module.css';

/** staff read out what the patient would have agreed to online, and record the consent. */
export function ReadOut({ id }: { id: string }) {
  const queries = useQueryClient();
  const titleId = useId();
  const consents = useQuery(consentsQuery(id));
  const { data: texts = [] } = consents;
  const note = useAction({
    work: () => {
      const read = texts.map(({ kind, version, hash }) => ({ kind, version, hash }));
      return ask('deskNoteConsents', { params: { id }, body: { texts: read } });
    },
    onFailed: async (error) => {
      const isOutdated = codeOf(error) === 'agreementOutdated';
      if (isOutdated || isUnknown(error)) await queries.invalidateQueries(consentsQuery(id));
    },
  });
  if (consents.isError && texts.length === 0) return <LoadState of={consents} />;
  // Once they are noted there are none to read out.
  const isNoted = note.done || (isUnknown(note.error) && texts.length === 0);
  const noted = isNoted && (
    <ActionOutcome press={note.press} kind="good">
      {t('desk.readOutNoted')}
    </ActionOutcome>
  );
  if (texts.length === 0) return noted;
  return (
    <section className={styles.override} aria-labelledby={titleId} data-acts-on={id}>
      <h3 id={titleId}>{t('desk.readOut')}</h3>
      {texts.map(({ kind, version, title, paragraphs }) => (
        <details key={kind}>
          <summary>{t('desk.readOutText', { title, version })}</summary>
          {paragraphs.map((paragraph, at) => (
            <p key={`${at} ${paragraph}`}>{paragraph}</p>
          ))}
        </details>
      ))}
      {!isNoted && (
        <div>
          <Button
            variant="secondary"
            busy={note.pending}
            busyLabel={t('desk.readOutNoting')}
            onClick={() => note.run()}
          >
            {t('desk.readOutAgrees')}
          </Button>
        </div>
      )}
      {noted || <Outcome of={note} />}
    </section>
  );
}
