import { ActionOutcome } from '@clinic/ui/action-outcome';
import { ErrorTextsGone } from '@clinic/ui/field';
import { focusByPress } from '@clinic/ui/focus';
import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../../messages/t.ts';
import { FilePicker } from './file-picker.tsx';
import './file-words.ts';
import { QuestionDialog } from '../shell/question-dialog.tsx';
import { useAction } from '../use-action.ts';
import { sendFiles, uploadFailure } from './send-files.ts';

export type DocumentKind = 'healthCard' | 'pictureId';

interface UploadDocumentDialogProps {
  kind: DocumentKind;
  onUploaded: () => void;
  onCancel: () => void;
}

/** Uploads a document (Step 1 or Step 2) for an appointment that needs documents. */
export function UploadDocumentDialog(props: UploadDocumentDialogProps) {
  return (
    // The form around the dialog may have hidden its error texts; the dialog shows its own.
    <ErrorTextsGone value={false}>
      <UploadDocument key={props.kind} {...props} />
    </ErrorTextsGone>
  );
}

function UploadDocument({ kind, onUploaded, onCancel }: UploadDocumentDialogProps) {
  const chooser = useId();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [missing, setMissing] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const underWay = useRef<AbortController | null>(null);
  // The upload runs outside React and is aborted when the dialog closes.
  useEffect(() => () => underWay.current?.abort(), []);

  const choose = (change: (files: readonly File[]) => readonly File[]) => {
    setFiles(change);
    setMissing(false);
  };
  const upload = useAction({
    work: async (chosen: readonly File[]) => {
      const attempt = new AbortController();
      underWay.current = attempt;
      setSent(0);
      const fields = { isHealthCard: kind === 'healthCard' ? 'true' : 'false' } as const;
      const { signal } = attempt;
      await sendFiles('uploadDocuments', {
        fields,
        files: chosen,
        onProgress: setSent,
        signal,
      }).finally(() => setSent(null));
    },
    onDone: onUploaded,
  });
  // The error of an earlier upload does not apply to newly chosen files.
  const problem =
    upload.input === files
      ? upload.error && uploadFailure(upload.error, files, t('files.failed'))
      : null;
  return (
    <QuestionDialog
      size="large"
      title={t(`files.${kind}Title`)}
      busy={upload.pending}
      busyLabel={t('files.uploadingNow')}
      yes={problem === null ? t('files.upload') : t('ui.tryAgain')}
      onYes={() => {
        setMissing(files.length === 0);
        if (files.length > 0) upload.run(files);
        else focusByPress(document.getElementById(chooser));
      }}
      no={t('files.cancel')}
      mayLeave
      onClose={onCancel}
    >
      <p>{t(`files.${kind}Intro`)}</p>
      <FilePicker
        id={chooser}
        label={t(`files.${kind}Label`)}
        hint={t('files.sealed')}
        accept="imagesAndPdf"
        files={files}
        error={missing ? t('files.missing') : null}
        sent={sent}
        onChange={choose}
      />
      <ActionOutcome press={upload.press} title={problem}>
        {problem !== null && t('files.kept')}
      </ActionOutcome>
    </QuestionDialog>
  );
}
