import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { TextArea } from '@clinic/ui/text-area';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { callService } from '../../api/service.ts';
import { MESSAGE_CHARACTERS, useKeepThread, useRefreshMessages } from './messages-data.ts';
import styles from './messages.module.css';

interface EditTextProps {
  threadId: string;
  text: string;
  onDone: () => void;
}

/** The patient's own last text, for as long as nobody has answered it. */
export function EditText({ threadId, text: before, onDone }: EditTextProps) {
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(before);
  const [error, setError] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const keep = useKeepThread();
  const refresh = useRefreshMessages();
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') {
      setError(t('messages.textMissing'));
      return;
    }
    setSaving(true);
    setProblem(null);
    const input = { params: { id: threadId }, body: { message: text } };
    const result = await callService('changeMessage', input);
    setSaving(false);
    if (result.kind === 'answer') {
      keep(result.answer.extras.message);
      onDone();
      return;
    }
    setProblem(messageOf(new ApiError(result), t('messages.notSent')));
    // Answered meanwhile: the thread shows the answer, and the text stays here to be copied.
    if (result.kind === 'refusal' && result.status === 409) refresh();
  };

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={(event) => void save(event)}>
      <TextArea
        label={t('messages.editLabel')}
        rows={4}
        value={text}
        error={error}
        maxCharacters={MESSAGE_CHARACTERS}
        onChange={(value) => {
          setText(value);
          setError(null);
        }}
      />
      {problem !== null && (
        <Notice kind="danger" role="alert">
          <p>{problem}</p>
        </Notice>
      )}
      <div className={styles.ways}>
        <Button type="submit" busy={saving} busyLabel={t('messages.saving')}>
          {t('messages.save')}
        </Button>
        <Button variant="secondary" onClick={onDone}>
          {t('messages.cancel')}
        </Button>
      </div>
    </form>
  );
}
