import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { FailedState } from '@clinic/ui/page-states';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { DeskError, ask, ruleText } from '../api.ts';
import { t } from '../words.ts';
import { consentsQuery } from './booking-data.ts';
import styles from './booking.module.css';

/** staff read out what the patient would have agreed to online, and record the consent. */
export function ReadOut({ id }: { id: string }) {
  const queries = useQueryClient();
  const titleId = useId();
  const consents = useQuery(consentsQuery(id));
  const { data: texts = [] } = consents;
  const note = useMutation({
    mutationFn: () => {
      const read = texts.map(({ kind, version, hash }) => ({ kind, version, hash }));
      return ask('deskNoteConsents', { params: { id }, body: { texts: read } });
    },
    onError: async (error) => {
      if (error instanceof DeskError && error.code === 'agreementOutdated')
        await queries.invalidateQueries(consentsQuery(id));
    },
  });
  if (consents.isError && texts.length === 0)
    return (
      <FailedState onRetry={() => void consents.refetch()} busy={consents.isFetching}>
        {consents.error.message}
      </FailedState>
    );
  if (texts.length === 0) return null;
  return (
    <section className={styles.override} aria-labelledby={titleId}>
      <h3 id={titleId}>{t('desk.readOut')}</h3>
      {texts.map(({ kind, version, title, paragraphs }) => (
        <details key={kind}>
          <summary>{t('desk.readOutText', { title, version })}</summary>
          {paragraphs.map((paragraph, at) => (
            <p key={`${at} ${paragraph}`}>{paragraph}</p>
          ))}
        </details>
      ))}
      {!note.isSuccess && (
        <div>
          <Button
            variant="secondary"
            busy={note.isPending}
            busyLabel={t('desk.readOutNoting')}
            onClick={() => note.mutate()}
          >
            {t('desk.readOutAgrees')}
          </Button>
        </div>
      )}
      <ActionOutcome press={note.submittedAt} kind={note.isSuccess ? 'good' : 'danger'}>
        {note.isSuccess ? t('desk.readOutNoted') : note.error && ruleText(note.error)}
      </ActionOutcome>
    </section>
  );
}
