import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { ErrorTextsGone } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { FilePicker } from './file-picker.tsx';
import './file-words.ts';
import { sendFiles } from './send-files.ts';

export type DocumentKind = 'healthCard' | 'pictureId';

interface UploadDocumentDialogProps {
  kind: DocumentKind;
  onUploaded: () => void;
  onCancel: () => void;
}

/** Step 1 and Step 2 of an appointment that needs documents. */
export function UploadDocumentDialog(props: UploadDocumentDialogProps) {
  return (
    // What stands around it may be a form whose texts have gone.
    <ErrorTextsGone value={false}>
      <UploadDocument key={props.kind} {...props} />
    </ErrorTextsGone>
  );
}

function UploadDocument({ kind, onUploaded, onCancel }: UploadDocumentDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [missing, setMissing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const choose = (chosen: readonly File[]) => {
    setFiles(chosen);
    setMissing(false);
    setProblem(null);
  };
  const upload = async () => {
    setMissing(files.length === 0);
    if (files.length === 0) return;
    const attempt = new AbortController();
    underWay.current = attempt;
    setProblem(null);
    setSent(0);
    try {
      const result = await sendFiles('uploadDocuments', {
        fields: { isHealthCard: kind === 'healthCard' ? 'true' : 'false' },
        files,
        onProgress: setSent,
        signal: attempt.signal,
      });
      setSent(null);
      if (result.kind === 'answer') onUploaded();
      else setProblem(messageOf(new ApiError(result), t('files.failed')));
    } catch (error) {
      if (!attempt.signal.aborted) throw error;
    }
  };

  const busy = sent !== null;
  return (
    <Dialog
      size="large"
      title={t(`files.${kind}Title`)}
      onClose={onCancel}
      actions={
        <>
          <Button busy={busy} busyLabel={t('files.uploadingNow')} onClick={() => void upload()}>
            {problem === null ? t('files.upload') : t('ui.tryAgain')}
          </Button>
          <Button variant="secondary" onClick={onCancel}>
            {t('files.cancel')}
          </Button>
        </>
      }
    >
      {problem !== null && (
        <Notice kind="danger" role="alert" title={problem}>
          <p>{t('files.keptRetry')}</p>
        </Notice>
      )}
      <p>{t(`files.${kind}Intro`)}</p>
      <FilePicker
        label={t(`files.${kind}Label`)}
        hint={t('files.sealed')}
        accept="imagesAndPdf"
        files={files}
        error={missing ? t('files.missing') : null}
        sent={sent}
        onChange={choose}
      />
    </Dialog>
  );
}
