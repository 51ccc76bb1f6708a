import { useId } from 'react';
import { t } from '../../messages/t.ts';
import styles from './file-picker.module.css';
import './file-words.ts';

/** How far an upload has come; at its end the service still looks at the files. */
export function UploadProgress({ sent }: { sent: number }) {
  const id = useId();
  const percent = Math.round(sent * 100);
  return (
    <div className={styles.progress}>
      <label htmlFor={id}>
        {percent < 100 ? t('files.uploading', { percent }) : t('files.checking')}
      </label>
      <progress id={id} className={styles.bar} max={100} value={percent} />
    </div>
  );
}
