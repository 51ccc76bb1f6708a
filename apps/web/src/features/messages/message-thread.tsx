import { useQuery } from '@tanstack/react-query';
import type { ApiMessageEntry, ApiMessageThread } from '@clinic/contract';
import { formatAppointment } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { useEffect, useRef, useState } from 'react';
import { ArrowLeft } from 'lucide-react';
import { t } from '../../messages/t.ts';
import { sendFiles } from '../../shared/files/send-files.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { Attachment } from './attachment.tsx';
import { EditText } from './edit-text.tsx';
import { threadQuery, useKeepThread, useRefreshMessages } from './messages-data.ts';
import styles from './messages.module.css';
import { WriteForm } from './write-form.tsx';

/** One message with everything that was written since. */
export function MessageThread({ id, onBack }: { id: string; onBack: () => void }) {
  const thread = useQuery(threadQuery(id));
  const refresh = useRefreshMessages();
  const wasRead = thread.data !== undefined;

  // Reading takes the mark away from the list too.
  useEffect(() => {
    if (wasRead) refresh();
  }, [wasRead, refresh]);

  return (
    <>
      <BackButton onBack={onBack} />
      {thread.data ? (
        <Thread thread={thread.data} />
      ) : thread.isError ? (
        <FailedState onRetry={() => void thread.refetch()} busy={thread.isFetching} />
      ) : (
        <LoadingState />
      )}
    </>
  );
}

function Thread({ thread }: { thread: ApiMessageThread }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const keep = useKeepThread();
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {t('messages.thread', { when: formatAppointment(thread.startedAt) })}
      </h3>
      <ol className={styles.entries}>
        {thread.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} threadId={thread.id} />
        ))}
      </ol>
      <WriteForm
        name={`reply-${thread.id}`}
        label={t('messages.reply')}
        send={(input) =>
          sendFiles('changeMessage', { params: { id: thread.id }, ...input }).then((result) => {
            if (result.kind === 'answer') {
              keep(result.answer.extras.message);
              announce('success', t('messages.sent'));
            }
            return result;
          })
        }
      />
    </>
  );
}

function Entry({ entry, threadId }: { entry: ApiMessageEntry; threadId: string }) {
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const mine = entry.from === 'patient';
  const stop = () => {
    setEditing(false);
    // The button is back after the next paint.
    requestAnimationFrame(() => edit.current?.focus());
  };
  return (
    <li className={mine ? styles.mine : styles.theirs}>
      <p className={styles.who}>
        <strong>{t(mine ? 'messages.you' : 'messages.clinic')}</strong>{' '}
        <span>{formatAppointment(entry.at)}</span>
        {entry.editedAt !== null && (
          <span> · {t('messages.edited', { when: formatAppointment(entry.editedAt) })}</span>
        )}
      </p>
      {editing ? (
        <EditText threadId={threadId} text={entry.message} onDone={stop} />
      ) : (
        <p className={styles.text}>{entry.message}</p>
      )}
      {entry.files.length > 0 && (
        <ul className={styles.files}>
          {entry.files.map((file) => (
            <Attachment key={file.id} file={file} />
          ))}
        </ul>
      )}
      {entry.isEditable && !editing && (
        <Button ref={edit} variant="quiet" onClick={() => setEditing(true)}>
          {t('messages.edit')}
        </Button>
      )}
    </li>
  );
}

export function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <Button
      variant="quiet"
      className={styles.start}
      icon={<ArrowLeft size={18} aria-hidden="true" />}
      onClick={onBack}
    >
      {t('messages.back')}
    </Button>
  );
}
