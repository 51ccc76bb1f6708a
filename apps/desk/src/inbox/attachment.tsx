import { askFile } from '@clinic/app/files';
import type { ApiDeskThread } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { saveFile } from '@clinic/ui/save-file';
import { usePictureOf } from '@clinic/ui/use-picture-of';
import { useMutation } from '@tanstack/react-query';
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { service } from '../api.ts';
import { fileSize } from '../files.ts';
import { t } from '../words.ts';
import styles from './inbox.module.css';

type File = ApiDeskThread['entries'][number]['files'][number];

/** An attached file, with a download, and a preview of pictures. It never opens as a page of its own. */
export function Attachment({ file }: { file: File }) {
  const { id, name, mediaType, size } = file;
  const [picture, setPicture] = useState<Blob | null>(null);
  const show = usePictureOf(picture);
  const fetching = useMutation({
    mutationFn: async (take: (blob: Blob) => void) =>
      take(await askFile(service, 'deskReadAttachment', { params: { id } })),
  });
  return (
    <li className={styles.file}>
      <span>
        <bdi>{name}</bdi> <span className={styles.soft}>({fileSize(size)})</span>
      </span>
      <span className={styles.buttons}>
        {mediaType.startsWith('image/') && (
          <Button
            variant="quiet"
            busy={fetching.isPending}
            icon={
              picture === null ? (
                <Eye size={18} aria-hidden="true" />
              ) : (
                <EyeOff size={18} aria-hidden="true" />
              )
            }
            onClick={() => (picture === null ? fetching.mutate(setPicture) : setPicture(null))}
          >
            {t(picture === null ? 'desk.inbox.show' : 'desk.inbox.hide', { name })}
          </Button>
        )}
        <Button
          variant="quiet"
          busy={fetching.isPending}
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => fetching.mutate((blob) => saveFile(blob, name))}
        >
          {t('desk.inbox.save', { name })}
        </Button>
      </span>
      <ActionOutcome press={fetching.submittedAt}>{fetching.error?.message}</ActionOutcome>
      {picture !== null && (
        <img ref={show} className={styles.picture} alt={t('desk.inbox.picture', { name })} />
      )}
    </li>
  );
}
