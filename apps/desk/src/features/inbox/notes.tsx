import type { ApiDeskThread } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { TextArea } from '@clinic/ui/text-area';
import { useId, useRef, useState } from 'react';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { useDraft } from '@clinic/app/drafts';
import { locale, t } from '../../shared/words.ts';
import type { Acting } from './inbox-data.ts';
import styles from './inbox.module.css';

const MOST_CHARACTERS = 2_000;

/** Notes among colleagues about a message. */
export function Notes({ thread, last, onAct }: { thread: ApiDeskThread } & Acting) {
  const { id, notes } = thread;
  const titleId = useId();
  const [text, setText] = useDraft(`note ${id}`, '');
  const [error, setError] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const add = useAction({
    work: (said: string, noteId) =>
      ask('deskNoteMessage', { params: { id, noteId }, body: { text: said } }),
    keptAs: `note ${id}`,
    onDone: () => setText(''),
    shows: [['messages']],
  });
  return (
    <section className={styles.notes} aria-labelledby={titleId}>
      <h3 id={titleId}>{t('desk.inbox.notes')}</h3>
      {notes.length > 0 && (
        <ol className={styles.list} aria-labelledby={titleId}>
          {notes.map(({ id: each, by, at, text: said }) => (
            <li key={each} className={styles.note}>
              <p className={styles.line}>
                <b>{by}</b>
                <span className={styles.soft}>{formatMoment(locale, at)}</span>
              </p>
              <p className={styles.text}>{said}</p>
            </li>
          ))}
        </ol>
      )}
      <form
        ref={form}
        noValidate
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (add.pending) return;
          if (text.trim() !== '') {
            onAct('note');
            return add.run(text);
          }
          setError(t('desk.inbox.noteMissing'));
          form.current?.querySelector('textarea')?.focus();
        }}
      >
        <TextArea
          label={t('desk.inbox.note')}
          hint={t('desk.inbox.notesAbout')}
          rows={2}
          value={text}
          error={error}
          readOnly={add.pending}
          maxLength={MOST_CHARACTERS}
          onChange={(next) => {
            setText(next);
            setError(null);
          }}
        />
        <div>
          <Button
            type="submit"
            variant="secondary"
            busy={add.pending}
            busyLabel={t('desk.inbox.noteAdding')}
          >
            {t('desk.inbox.noteAdd')}
          </Button>
        </div>
        {last === 'note' && (
          <>
            <Outcome of={add} />
            <ActionOutcome press={add.press} kind="good">
              {add.done && t('desk.inbox.noteAdded')}
            </ActionOutcome>
          </>
        )}
      </form>
    </section>
  );
}
