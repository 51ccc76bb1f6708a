import { askFile } from '@clinic/app/files';
import type { ApiPatientDocument } from '@clinic/contract';
import type { LookReason } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { TextArea } from '@clinic/ui/text-area';
import { useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask, service } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { useFormOver } from '../../shared/form-over.tsx';
import { PatientFile } from '../../shared/patient-file.tsx';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import { type PatientDialog, patientDialog } from './patient-data.ts';
import styles from './patients.module.css';

interface DocumentsProps {
  documents: readonly ApiPatientDocument[];
  /** The reason with which the record was opened. */
  lookReason: LookReason | undefined;
  onDone: (says: string) => void;
}

/** The health cards and photo IDs that a patient sent, for viewing and a decision. */
export function Documents({ documents, ...props }: DocumentsProps) {
  if (documents.length === 0) return <p>{t('desk.noDocuments')}</p>;
  return (
    <ul className={styles.documents}>
      {documents.map((document) => (
        <li key={document.id} data-acts-on={document.id}>
          <Document document={document} {...props} />
        </li>
      ))}
    </ul>
  );
}

interface DocumentProps extends Omit<DocumentsProps, 'documents'> {
  document: ApiPatientDocument;
}

function Document({ document, lookReason, onDone }: DocumentProps) {
  const { id, purpose, mediaType, at, decision } = document;
  const may = useMay();
  const what = t(`desk.document.${purpose}`);
  const [isRefusing, setRefusing] = useState(false);
  const params = { id };
  const accept = useAction({
    work: () => {
      const headers = formHeaders(document.formVersion, ['decision']);
      return ask('deskDecideDocument', { params, headers, body: { kind: 'accepted' } });
    },
    shows: [['patient']],
    onDone: () => onDone(t('desk.documentNowAccepted')),
  });
  return (
    <div className={styles.document}>
      <p>
        <b>{what}</b>{' '}
        <span className={styles.soft}>
          {t('desk.documentSent')} {formatMoment(locale(), at)}
        </span>
      </p>
      <p>{decisionText(document)}</p>
      <PatientFile
        mediaType={mediaType}
        name={nameOfCopy(document)}
        fetchFile={() =>
          askFile(service, 'deskOpenDocument', { params, body: lookReason ? { lookReason } : {} })
        }
        variant="secondary"
        words={{
          show: t('desk.documentShow'),
          hide: t('desk.documentHide'),
          opening: t('desk.documentOpening'),
          save: t('desk.documentSave'),
          picture: t('desk.documentPicture', { what }),
        }}
      >
        {may('decideDocument') && decision !== 'accepted' && (
          <Button
            busy={accept.pending}
            busyLabel={t('desk.documentAccepting')}
            onClick={() => accept.run()}
          >
            {t('desk.documentAccept')}
          </Button>
        )}
        {may('decideDocument') && decision !== 'refused' && (
          <Button variant="danger" onClick={() => setRefusing(true)}>
            {t('desk.documentRefuse')}
          </Button>
        )}
      </PatientFile>
      <Outcome of={accept} />
      {isRefusing && (
        <Refuse document={document} dialog={patientDialog(() => setRefusing(false), onDone)} />
      )}
    </div>
  );
}

function decisionText({ decision, decidedAt, reason }: ApiPatientDocument): string {
  const when = formatMoment(locale(), decidedAt ?? 0);
  if (decision === 'accepted') return t('desk.documentAccepted', { when });
  if (decision === 'refused') return t('desk.documentRefused', { when, reason: reason ?? '' });
  return t('desk.documentWaits');
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** A name of our own, whatever the patient called the file. */
const nameOfCopy = ({ id, purpose, mediaType }: ApiPatientDocument): string =>
  `${purpose}-${id.slice(0, 8)}.${EXTENSIONS[mediaType] ?? 'jpg'}`;

interface RefuseProps {
  document: ApiPatientDocument;
  dialog: PatientDialog;
}

function Refuse({ document, dialog }: RefuseProps) {
  const [reason, setReason] = useState('');
  const { id, decision, formVersion } = document;
  const form = useFormOver({ decision }, formVersion, { decision: 'refused' });
  const savedNow = { label: t('desk.document'), saved: decisionText(document) };
  return (
    <ActionDialog
      title={t('desk.documentRefuseTitle')}
      does={t('desk.documentRefuse')}
      doing={t('desk.documentRefusing')}
      isDanger
      {...dialog}
      work={async () => {
        const headers = form.headers(['decision']);
        const body = { kind: 'refused', reason } as const;
        await ask('deskDecideDocument', { params: { id }, headers, body });
        return t('desk.documentNowRefused');
      }}
    >
      {form.elsewhere(() => savedNow, dialog.onClose)}
      <p>{t('desk.documentRefuseAbout')}</p>
      <TextArea
        label={t('desk.documentRefuseWhy')}
        hint={t('desk.documentRefuseHint')}
        required
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
    </ActionDialog>
  );
}
