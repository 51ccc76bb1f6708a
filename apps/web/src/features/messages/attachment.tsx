import type { ApiAttachment } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { fetchFile, saveFile } from '../../api/download.ts';
import { fileSize } from '../../shared/files/file-size.ts';
import { usePictureOf } from '../../shared/files/use-picture-of.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './messages.module.css';

/** A file that was sent: to save, and a picture to look at too. */
export function Attachment({ file }: { file: ApiAttachment }) {
  const { id, name, mediaType, size } = file;
  const [busy, setBusy] = useState(false);
  const [picture, setPicture] = useState<Blob | null>(null);
  const show = usePictureOf(picture);

  const withFile = async (take: (blob: Blob) => void) => {
    setBusy(true);
    const blob = await fetchFile('readAttachment', { params: { id } });
    setBusy(false);
    if (blob === null) announce('error', t('messages.fileFailed'));
    else take(blob);
  };
  return (
    <li className={styles.file}>
      <span data-private="">
        <bdi>{name}</bdi> <span className={styles.soft}>({fileSize(size)})</span>
      </span>
      <span className={styles.ways}>
        {mediaType.startsWith('image/') && (
          <Button
            variant="quiet"
            busy={busy}
            aria-label={t(picture === null ? 'messages.preview' : 'messages.hide', { name })}
            icon={
              picture === null ? (
                <Eye size={18} aria-hidden="true" />
              ) : (
                <EyeOff size={18} aria-hidden="true" />
              )
            }
            onClick={() => (picture === null ? void withFile(setPicture) : setPicture(null))}
          >
            {t(picture === null ? 'ui.show' : 'ui.hide')}
          </Button>
        )}
        <Button
          variant="quiet"
          busy={busy}
          aria-label={t('messages.download', { name })}
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => void withFile((blob) => saveFile(blob, name))}
        />
      </span>
      {picture !== null && (
        <img ref={show} className={styles.picture} alt={t('messages.picture', { name })} />
      )}
    </li>
  );
}
