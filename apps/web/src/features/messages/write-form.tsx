import { useQueryClient } from '@tanstack/react-query';
import type { CallResult } from '@clinic/contract/client';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { TextArea } from '@clinic/ui/text-area';
import { Paperclip } from 'lucide-react';
import { useId, useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { FilePicker } from '../../shared/files/file-picker.tsx';
import { keptDraft } from '../../shared/kept-draft.ts';
import { MESSAGE_CHARACTERS } from './messages-data.ts';
import styles from './messages.module.css';

interface Written {
  readonly fields: { readonly message: string };
  readonly files: readonly File[];
  readonly onProgress: (sent: number) => void;
}

interface WriteFormProps {
  /** Under which what was typed is found again. */
  name: string;
  label: string;
  send: (written: Written) => Promise<CallResult<'startMessage' | 'changeMessage'>>;
}

interface Errors {
  readonly text: string | null;
  readonly files: string | null;
}
const NO_ERRORS: Errors = { text: null, files: null };

/** A text with up to three files; once the files are opened the first is mandatory. */
export function WriteForm({ name, label, send }: WriteFormProps) {
  const id = useId();
  const queryClient = useQueryClient();
  const kept = keptDraft<string>(name);
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(() => kept.read(queryClient) ?? '');
  const [files, setFiles] = useState<readonly File[] | null>(null);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const underWay = useRef(false);
  const attach = useRef<HTMLButtonElement>(null);

  const write = (typed: string) => {
    setText(typed);
    kept.keep(queryClient, typed === '' ? null : typed);
  };
  const openFiles = () => {
    flushSync(() => setFiles([]));
    document.getElementById(`${id}-files`)?.focus();
  };
  const closeFiles = () => {
    flushSync(() => setFiles(null));
    attach.current?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    const found: Errors = {
      text: text.trim() === '' ? t('messages.textMissing') : null,
      files: files?.length === 0 ? t('files.missing') : null,
    };
    setErrors(found);
    setProblem(null);
    if (found.text !== null || found.files !== null) {
      form.current?.querySelector<HTMLElement>(found.text ? 'textarea' : 'input')?.focus();
      return;
    }
    underWay.current = true;
    setSent(0);
    const result = await send({
      fields: { message: text },
      files: files ?? [],
      onProgress: setSent,
    });
    underWay.current = false;
    setSent(null);
    if (result.kind === 'answer') {
      write('');
      setFiles(null);
    } else setProblem(messageOf(new ApiError(result), t('messages.notSent')));
  };

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextArea
        id={`${id}-text`}
        label={label}
        rows={5}
        value={text}
        error={errors.text}
        maxCharacters={MESSAGE_CHARACTERS}
        onChange={(value) => {
          write(value);
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
            onChange={(chosen) => {
              setFiles(chosen);
              setErrors((now) => ({ ...now, files: null }));
            }}
          />
          <Button
            variant="quiet"
            className={styles.start}
            disabled={sent !== null}
            onClick={closeFiles}
          >
            {t('messages.noFiles')}
          </Button>
        </>
      )}
      {problem !== null && (
        <Notice kind="danger" role="alert">
          <p>{problem}</p>
        </Notice>
      )}
      <Button
        type="submit"
        className={styles.start}
        busy={sent !== null}
        busyLabel={t('messages.sending')}
      >
        {t('messages.send')}
      </Button>
    </form>
  );
}
