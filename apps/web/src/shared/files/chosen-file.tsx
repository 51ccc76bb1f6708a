import { withoutControls } from '@clinic/domain';
import { FileText, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import styles from './file-picker.module.css';
import { fileSize } from './file-size.ts';
import './file-words.ts';
import { usePictureOf } from './use-picture-of.ts';

interface ChosenFileProps {
  file: File;
  /** On its way: it cannot be removed. */
  fixed: boolean;
  onRemove: () => void;
}

/** A chosen file with its picture, name and size. */
export function ChosenFile({ file, fixed, onRemove }: ChosenFileProps) {
  const [isPicture, setIsPicture] = useState(file.type.startsWith('image/'));
  const show = usePictureOf(file);
  const name = withoutControls(file.name);
  return (
    <li className={styles.file}>
      {isPicture ? (
        <img
          ref={show}
          className={styles.preview}
          alt={t('files.preview', { name })}
          onError={() => setIsPicture(false)}
        />
      ) : (
        <span className={styles.icon}>
          <FileText size={28} aria-hidden="true" />
        </span>
      )}
      <span className={styles.words}>
        <span className={styles.name}>
          <bdi>{name}</bdi>
        </span>
        <span className={styles.size}>{fileSize(file.size)}</span>
      </span>
      <button type="button" className={styles.remove} disabled={fixed} onClick={onRemove}>
        <X size={20} aria-hidden="true" />
        <span aria-hidden="true">{t('files.remove')}</span>
        <VisuallyHidden>{t('files.removeNamed', { name })}</VisuallyHidden>
      </button>
    </li>
  );
}
