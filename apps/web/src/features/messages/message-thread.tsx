import { formatMoment } from '@clinic/texts';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiAttachment, ApiMessageEntry, ApiMessageThread } from '@clinic/contract';

import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { useFormOver } from '@clinic/app/form-over';
import type { KeptForm } from '@clinic/ui/changed-elsewhere';
import { focusByPress, focusIfAsked, focusIfLost } from '@clinic/ui/focus';
import { LoadState } from '@clinic/app/outcome';
import { TextArea } from '@clinic/ui/text-area';
import { usePictureOf } from '@clinic/ui/use-picture-of';
import { useRef, useState, type FormEvent } from 'react';
import { ArrowLeft, Download, Eye, EyeOff } from 'lucide-react';
import { locale, t } from '../../messages/t.ts';
import { ClinicWords } from '../../shared/clinic-words.tsx';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { fetchFile } from '../../api/download.ts';
import { saveFile } from '@clinic/ui/save-file';
import { request } from '../../api/service.ts';
import { fileSize } from '../../shared/files/file-size.ts';
import { sendFiles } from '../../shared/files/send-files.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useDraft } from '../../shared/use-draft.ts';
import { MESSAGE_CHARACTERS, refreshMessages, useKeepThread, useThread } from './messages-data.ts';
import styles from './messages.module.css';
import { WriteForm } from './write-form.tsx';

/** One message with all entries written since. */
export function MessageThread({ id, onBack }: { id: string; onBack: () => void }) {
  const thread = useThread(id);
  return (
    <>
      <BackButton onBack={onBack} />
      <LoadState of={thread} />
      {thread.data && <Thread thread={thread.data} />}
    </>
  );
}

const focusText = (form: HTMLElement | null) => focusByPress(form?.querySelector('textarea'));

function Thread({ thread }: { thread: ApiMessageThread }) {
  const keep = useKeepThread();
  return (
    <>
      <h3 ref={focusIfAsked} tabIndex={-1}>
        {t('messages.thread', { when: formatMoment(locale(), thread.startedAt) })}
      </h3>
      <ol className={styles.entries}>
        {thread.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} thread={thread} />
        ))}
      </ol>
      <WriteForm
        name={`reply-${thread.id}`}
        label={t('messages.reply')}
        send={(input) =>
          sendFiles('changeMessage', { params: { id: thread.id }, headers: {}, ...input })
        }
        onSent={keep}
      />
    </>
  );
}

function Entry({ entry, thread }: { entry: ApiMessageEntry; thread: ApiMessageThread }) {
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const mine = entry.from === 'patient';
  const stop = () => {
    setEditing(false);
    // The button reappears with the next paint.
    requestAnimationFrame(() => focusIfLost(edit.current));
  };
  return (
    <li className={mine ? styles.mine : styles.theirs}>
      <p className={styles.who}>
        <strong>{t(mine ? 'messages.you' : 'messages.clinic')}</strong>{' '}
        <span>{formatMoment(locale(), entry.at)}</span>
        {entry.editedAt !== null && (
          <span> · {t('messages.edited', { when: formatMoment(locale(), entry.editedAt) })}</span>
        )}
      </p>
      {editing ? (
        <EditText thread={thread} text={entry.message} onDone={stop} />
      ) : (
        <p className={styles.text} data-private="">
          {mine ? entry.message : <ClinicWords>{entry.message}</ClinicWords>}
        </p>
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

interface EditTextProps {
  thread: ApiMessageThread;
  /** As it is saved. */
  text: string;
  onDone: () => void;
}

/** Edits the patient's last text, which is possible until somebody answers it. */
function EditText({ thread, text: saved, onDone }: EditTextProps) {
  const now = { message: saved };
  const [kept, keep] = useDraft<KeptForm<typeof now> | null>(`edit-${thread.id}`, null);
  const [opened] = useState({ base: now, typed: now });
  const form = useFormOver(now, thread.formVersion, [kept ?? opened, keep]);
  const text = form.draft.message;
  const [error, setError] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const keepThread = useKeepThread();

  const stop = () => {
    keep(null);
    onDone();
  };
  const change = (message: string) =>
    request('changeMessage', {
      params: { id: thread.id },
      headers: form.headers(['message']),
      body: { message },
    });
  const saving = useAction({
    work: change,
    onDone({ extras }) {
      keepThread(extras.message);
      stop();
    },
    onFailed(failure) {
      // Answered meanwhile, or edited on another device: the thread shows that, and the text stays here.
      if (failure instanceof ApiError && failure.status === 409) refreshMessages(queryClient);
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') setError(t('messages.textMissing'));
    else if (form.toChoose[0]) setError(form.toChoose[0].message);
    else saving.run(text);
  };

  return (
    <form ref={focusText} noValidate className={styles.form} onSubmit={save}>
      {!saving.pending &&
        form.elsewhere({
          says: t('messages.changedElsewhere'),
          shown: () => ({ label: t('messages.editLabel'), saved }),
          onChoose: () => setError(null),
        })}
      <TextArea
        label={t('messages.editLabel')}
        rows={4}
        value={text}
        error={error}
        maxCharacters={MESSAGE_CHARACTERS}
        onChange={(value) => {
          form.change({ message: value });
          setError(null);
        }}
      />
      <div className={styles.ways}>
        <Button type="submit" busy={saving.pending} busyLabel={t('messages.saving')}>
          {t('messages.save')}
        </Button>
        <Button variant="secondary" disabled={saving.pending} onClick={stop}>
          {t('messages.cancel')}
        </Button>
      </div>
      <ActionOutcome press={saving.press}>
        {saving.error && messageOf(saving.error, t('messages.notSent'))}
      </ActionOutcome>
    </form>
  );
}

/** An attached file, with a download, and a preview of pictures. */
function Attachment({ file }: { file: ApiAttachment }) {
  const { id, name, mediaType, size } = file;
  const [picture, setPicture] = useState<Blob | null>(null);
  const show = usePictureOf(picture);

  const fetching = useAction({
    work: async (take: (blob: Blob) => void) => {
      const blob = await fetchFile('readAttachment', { params: { id } });
      if (blob !== null) take(blob);
    },
    onFailed: (error) => announce('error', messageOf(error, t('messages.fileFailed'))),
  });
  return (
    <li className={styles.file}>
      <span data-private="">
        <bdi>{name}</bdi> <span className={styles.soft}>({fileSize(size)})</span>
      </span>
      <span className={styles.ways}>
        {mediaType.startsWith('image/') && (
          <Button
            variant="quiet"
            busy={fetching.pending}
            aria-label={t(picture === null ? 'messages.preview' : 'messages.hide', { name })}
            icon={
              picture === null ? (
                <Eye size={18} aria-hidden="true" />
              ) : (
                <EyeOff size={18} aria-hidden="true" />
              )
            }
            onClick={() => (picture === null ? fetching.run(setPicture) : setPicture(null))}
          >
            {t(picture === null ? 'ui.show' : 'ui.hide')}
          </Button>
        )}
        <Button
          variant="quiet"
          busy={fetching.pending}
          aria-label={t('messages.download', { name })}
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => fetching.run((blob) => saveFile(blob, name))}
        />
      </span>
      {picture !== null && (
        <img ref={show} className={styles.picture} alt={t('messages.picture', { name })} />
      )}
    </li>
  );
}
