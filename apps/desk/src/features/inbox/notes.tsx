import { Form, useForm } from '@clinic/app/form';
import type { ApiDeskThread } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { TextArea } from '@clinic/ui/text-area';
import { useId } from 'react';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { useDraft } from '@clinic/app/drafts';
import { locale, t } from '../../shared/words.ts';
import type { Acting } from './inbox-data.ts';
import styles from './inbox.module.css';

/** Notes among colleagues about a message. */
export function Notes({ thread, last, onAct }: { thread: ApiDeskThread } & Acting) {
  const { id, notes } = thread;
  const titleId = useId();
  const form = useForm(useDraft(`note ${id}`, { text: '' }));
  const { text } = form.values;
  const add = useAction({
    work: (said: string, noteId) =>
      ask('deskNoteMessage', { params: { id, noteId }, body: { text: said } }),
    keptAs: `note ${id}`,
    onDone: () => form.change({ text: '' }),
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
                <span className={styles.soft}>{formatMoment(locale(), at)}</span>
              </p>
              <p className={styles.text}>{said}</p>
            </li>
          ))}
        </ol>
      )}
      <Form
        of={form}
        className={styles.stack}
        textsStay
        pending={add.pending}
        check={() =>
          text.trim() === '' ? [{ field: 'text', message: t('desk.inbox.noteMissing') }] : []
        }
        onSend={() => {
          onAct('note');
          add.run(text);
        }}
      >
        <TextArea
          {...form.field('text')}
          label={t('desk.inbox.note')}
          hint={t('desk.inbox.notesAbout')}
          rows={2}
          readOnly={add.pending}
          maxLength={2_000}
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
        {last === 'note' && <Outcome of={add} done={t('desk.inbox.noteAdded')} />}
      </Form>
    </section>
  );
}
