import type { ApiMessageThread, CallAnswer } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { focusByPress } from '@clinic/ui/focus';
import { TextArea } from '@clinic/ui/text-area';
import { Paperclip } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../messages/t.ts';
import { FilePicker } from '../../shared/files/file-picker.tsx';
import { uploadFailure } from '../../shared/files/send-files.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useDraft } from '../../shared/use-draft.ts';
import { MESSAGE_CHARACTERS, refreshMessages } from './messages-data.ts';
import styles from './messages.module.css';

interface Written {
  readonly fields: { readonly message: string };
  readonly files: readonly File[];
  readonly onProgress: (sent: number) => void;
}

interface WriteFormProps {
  /** Name of the draft that keeps the typed text. */
  name: string;
  label: string;
  send: (written: Written) => Promise<CallAnswer<'startMessage' | 'changeMessage'>>;
  onSent: (thread: ApiMessageThread) => void;
}

const failureWords = (error: Error, files: readonly File[]) =>
  uploadFailure(error, files, t('messages.notSent'));

interface Errors {
  readonly text: string | null;
  readonly files: string | null;
}
const NO_ERRORS: Errors = { text: null, files: null };

/** A text with up to three files. Once the patient opens the file picker, a file is required. */
export function WriteForm({ name, label, send, onSent }: WriteFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, keep] = useDraft(name, '');
  const [files, setFiles] = useState<readonly File[] | null>(null);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [sent, setSent] = useState<number | null>(null);
  const attach = useRef<HTMLButtonElement>(null);

  const queryClient = useQueryClient();
  const sending = useAction({
    work: async (written: Omit<Written, 'onProgress'>) => {
      setSent(0);
      const answer = send({ ...written, onProgress: setSent }).finally(() => setSent(null));
      return (await answer).extras.message;
    },
    onDone(thread, { fields }) {
      // What was typed since, such as another message, stays.
      keep((now) => (now === fields.message ? '' : now));
      setFiles(null);
      announce('success', t('messages.sent'));
      onSent(thread);
    },
    // Without an answer it may have been sent: the messages above the form show it then.
    onFailed: () => refreshMessages(queryClient),
    afterLeaving: (error, { files: attached }) => failureWords(error, attached),
  });
  const openFiles = () => {
    flushSync(() => setFiles([]));
    focusByPress(document.getElementById(`${id}-files`));
  };
  const closeFiles = () => {
    flushSync(() => setFiles(null));
    focusByPress(attach.current);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.pending) return;
    const found: Errors = {
      text: text.trim() === '' ? t('messages.textMissing') : null,
      files: files?.length === 0 ? t('files.missing') : null,
    };
    setErrors(found);
    if (found.text !== null || found.files !== null) {
      focusByPress(form.current?.querySelector<HTMLElement>(found.text ? 'textarea' : 'input'));
      return;
    }
    sending.run({ fields: { message: text }, files: files ?? [] });
  };

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={submit}>
      <TextArea
        id={`${id}-text`}
        label={label}
        rows={5}
        value={text}
        error={errors.text}
        maxCharacters={MESSAGE_CHARACTERS}
        onChange={(value) => {
          keep(value);
          setErrors((now) => ({ ...now, text: null }));
        }}
      />
      {files === null ? (
        <Button
          ref={attach}
          variant="quiet"
          className={styles.start}
          icon={<Paperclip size={18} aria-hidden="true" />}
          onClick={openFiles}
        >
          {t('messages.attach')}
        </Button>
      ) : (
        <>
          <FilePicker
            id={`${id}-files`}
            label={t('messages.attachments')}
            accept="documents"
            files={files}
            error={errors.files}
            sent={sent}
            onChange={(change) => {
              setFiles((now) => now && change(now));
              setErrors((now) => ({ ...now, files: null }));
            }}
          />
          <Button
            variant="quiet"
            className={styles.start}
            disabled={sending.pending}
            onClick={closeFiles}
          >
            {t('messages.noFiles')}
          </Button>
        </>
      )}
      <Button
        type="submit"
        className={styles.start}
        busy={sending.pending}
        busyLabel={t('messages.sending')}
      >
        {t('messages.send')}
      </Button>
      <ActionOutcome press={sending.press}>
        {sending.error && failureWords(sending.error, sending.input?.files ?? [])}
      </ActionOutcome>
    </form>
  );
}
