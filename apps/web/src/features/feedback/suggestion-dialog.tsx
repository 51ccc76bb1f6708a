import { Checkbox } from '@clinic/ui/checkbox';
import { focusByPress } from '@clinic/ui/focus';
import { TextArea } from '@clinic/ui/text-area';
import { useId, useRef, useState, type FormEvent } from 'react';
import { t } from '../../messages/t.ts';
import { reportFailure } from '../../api/report-failure.ts';
import { request } from '../../api/service.ts';
import { alertPatient } from '../../shared/shell/alert-dialog.tsx';
import { announce } from '../../shared/shell/alerts.tsx';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
import { useAction } from '../../shared/use-action.ts';
import styles from './suggestion.module.css';

interface SuggestionDialogProps {
  /** A JPEG data URL, or null when no picture could be taken. */
  picture: string | null;
  /** True when the picture shows home or My Appointments. */
  isAppointment: boolean;
  /** Called to close the dialog; does nothing when it is already closed. */
  onClose: () => void;
}

const MOST_CHARACTERS = 4000;

/** Sends a suggestion with a picture of the page; nobody answers suggestions. */
export function SuggestionDialog({ picture, isAppointment, onClose }: SuggestionDialogProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [message, setMessage] = useState('');
  const [withPicture, setWithPicture] = useState(picture !== null);

  const sending = useAction({
    work: () => {
      const dataURL = withPicture && picture !== null ? picture : '';
      return request('reportProblem', {
        body: { dataURL, message: message.trim(), isAppointment },
      });
    },
    onDone() {
      announce('success', t('suggestion.thanks'));
      onClose();
    },
    onFailed() {
      // A failure is only logged; the dialog closes all the same.
      reportFailure('SuggestionNotSentError');
      onClose();
    },
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (message.trim() !== '') return sending.run();
    await alertPatient(t('suggestion.empty'), t('suggestion.title'));
    focusByPress(form.current?.querySelector('textarea'));
  };

  return (
    <QuestionDialog
      title={t('suggestion.title')}
      size="large"
      form={id}
      busy={sending.pending}
      busyLabel={t('suggestion.sending')}
      yes={t('suggestion.submit')}
      no={t('ui.close')}
      mayLeave
      onClose={onClose}
    >
      <form
        id={id}
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => void submit(event)}
      >
        <TextArea
          data-autofocus
          label={t('suggestion.text')}
          placeholder={t('suggestion.placeholder')}
          rows={5}
          value={message}
          maxCharacters={MOST_CHARACTERS}
          maxLength={MOST_CHARACTERS}
          onChange={setMessage}
        />
        {picture === null ? (
          <p>{t('suggestion.noPicture')}</p>
        ) : (
          <>
            <Checkbox
              label={t('suggestion.withPicture')}
              checked={withPicture}
              onChange={setWithPicture}
            />
            {withPicture && (
              <figure className={styles.figure}>
                <figcaption>{t('suggestion.picture')}</figcaption>
                <img className={styles.picture} src={picture} alt={t('suggestion.pictureAlt')} />
              </figure>
            )}
          </>
        )}
      </form>
    </QuestionDialog>
  );
}
