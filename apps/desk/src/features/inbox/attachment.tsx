import { askFile } from '@clinic/app/files';
import type { ApiDeskThread } from '@clinic/contract';
import { service } from '../../shared/api.ts';
import { fileSize } from '../../shared/files.ts';
import { PatientFile } from '../../shared/patient-file.tsx';
import { t } from '../../shared/words.ts';
import styles from './inbox.module.css';

type File = ApiDeskThread['entries'][number]['files'][number];

/** A file that is attached to a message. */
export function Attachment({ file }: { file: File }) {
  const { id, name, mediaType, size } = file;
  return (
    <li className={styles.file}>
      <span>
        <bdi>{name}</bdi> <span className={styles.soft}>({fileSize(size)})</span>
      </span>
      <PatientFile
        mediaType={mediaType}
        name={name}
        fetchFile={() => askFile(service, 'deskReadAttachment', { params: { id } })}
        variant="quiet"
        words={{
          show: t('desk.inbox.show', { name }),
          hide: t('desk.inbox.hide', { name }),
          save: t('desk.inbox.save', { name }),
          picture: t('desk.inbox.picture', { name }),
        }}
      />
    </li>
  );
}
