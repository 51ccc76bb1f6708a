import type { ApiDeskAccount, ApiPatientDocument } from '@clinic/contract';
import type { LookReason } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { saveFile } from '@clinic/ui/save-file';
import { TextArea } from '@clinic/ui/text-area';
import { usePictureOf } from '@clinic/ui/use-picture-of';
import { useMutation } from '@tanstack/react-query';
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../api.ts';
import { askFile } from '../files.ts';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { whyNot } from './patient-data.ts';
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
        <li key={document.id}>
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
  const [picture, setPicture] = useState<Blob | null>(null);
  const show = usePictureOf(picture);
  const [isRefusing, setRefusing] = useState(false);
  const params = { id };
  const open = useMutation({
    mutationFn: async (take: (file: Blob) => void) =>
      take(await askFile('deskOpenDocument', { params, body: lookReason ? { lookReason } : {} })),
    gcTime: 0,
  });
  const accept = useMutation({
    mutationFn: () => ask('deskDecideDocument', { params, body: { kind: 'accepted' } }),
    onSuccess: () => onDone(t('desk.documentNowAccepted')),
  });
  const isPicture = mediaType.startsWith('image/');
  return (
    <div className={styles.document}>
      <p>
        <b>{what}</b>{' '}
        <span className={styles.soft}>
          {t('desk.documentSent')} {formatMoment(locale, at)}
        </span>
      </p>
      <p>{decisionText(document)}</p>
      <div className={styles.buttons}>
        {isPicture && (
          <Button
            variant="secondary"
            icon={
              picture ? (
                <EyeOff size={18} aria-hidden="true" />
              ) : (
                <Eye size={18} aria-hidden="true" />
              )
            }
            busy={open.isPending && open.variables === setPicture}
            busyLabel={t('desk.documentOpening')}
            onClick={() => (picture ? setPicture(null) : open.mutate(setPicture))}
          >
            {t(picture ? 'desk.documentHide' : 'desk.documentShow')}
          </Button>
        )}
        <Button
          variant="secondary"
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => {
            if (!open.isPending) open.mutate((file) => saveFile(file, nameOfCopy(document)));
          }}
        >
          {t('desk.documentSave')}
        </Button>
        {may('decideDocument') && decision !== 'accepted' && (
          <Button
            busy={accept.isPending}
            busyLabel={t('desk.documentAccepting')}
            onClick={() => accept.mutate()}
          >
            {t('desk.documentAccept')}
          </Button>
        )}
        {may('decideDocument') && decision !== 'refused' && (
          <Button variant="danger" onClick={() => setRefusing(true)}>
            {t('desk.documentRefuse')}
          </Button>
        )}
      </div>
      <ActionOutcome press={open.submittedAt}>{open.error?.message}</ActionOutcome>
      <ActionOutcome press={accept.submittedAt}>{whyNot(accept.error)}</ActionOutcome>
      {picture && (
        <img ref={show} className={styles.picture} alt={t('desk.documentPicture', { what })} />
      )}
      {isRefusing && (
        <Refuse
          id={id}
          onClose={() => setRefusing(false)}
          onDone={(says) => {
            setRefusing(false);
            onDone(says);
          }}
        />
      )}
    </div>
  );
}

function decisionText({ decision, decidedAt, reason }: ApiPatientDocument): string {
  const when = formatMoment(locale, decidedAt ?? 0);
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
  id: ApiDeskAccount['id'];
  onClose: () => void;
  onDone: (says: string) => void;
}

function Refuse({ id, onClose, onDone }: RefuseProps) {
  const [reason, setReason] = useState('');
  return (
    <ChangeDialog
      title={t('desk.documentRefuseTitle')}
      does={t('desk.documentRefuse')}
      doing={t('desk.documentRefusing')}
      isDanger
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        await ask('deskDecideDocument', { params: { id }, body: { kind: 'refused', reason } });
        return t('desk.documentNowRefused');
      }}
    >
      <p>{t('desk.documentRefuseAbout')}</p>
      <TextArea
        label={t('desk.documentRefuseWhy')}
        hint={t('desk.documentRefuseHint')}
        required
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
    </ChangeDialog>
  );
}
