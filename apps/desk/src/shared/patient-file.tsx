import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { saveFile } from '@clinic/ui/save-file';
import { usePictureOf } from '@clinic/ui/use-picture-of';
import { useMutation } from '@tanstack/react-query';
import { Download, Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './patient-file.module.css';

interface PatientFileProps {
  mediaType: string;
  /** What a copy is called. */
  name: string;
  fetchFile: () => Promise<Blob>;
  variant: 'secondary' | 'quiet';
  words: Readonly<Record<'show' | 'hide' | 'save' | 'picture', string>> & {
    readonly opening?: string;
  };
  /** Buttons after those of the file. */
  children?: ReactNode;
}

/** A file that a patient sent, with a download, and a preview of pictures. It never opens as a page of its own. */
export function PatientFile(props: PatientFileProps) {
  const { mediaType, name, fetchFile, variant, words, children } = props;
  const [picture, setPicture] = useState<Blob | null>(null);
  const show = usePictureOf(picture);
  const fetching = useMutation({
    mutationFn: async (take: (file: Blob) => void) => take(await fetchFile()),
    gcTime: 0,
  });
  const Icon = picture === null ? Eye : EyeOff;
  return (
    <>
      <span className={styles.buttons}>
        {mediaType.startsWith('image/') && (
          <Button
            variant={variant}
            busy={fetching.isPending}
            busyLabel={words.opening}
            icon={<Icon size={18} aria-hidden="true" />}
            onClick={() => (picture === null ? fetching.mutate(setPicture) : setPicture(null))}
          >
            {picture === null ? words.show : words.hide}
          </Button>
        )}
        <Button
          variant={variant}
          busy={fetching.isPending}
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => fetching.mutate((file) => saveFile(file, name))}
        >
          {words.save}
        </Button>
        {children}
      </span>
      <ActionOutcome press={fetching.submittedAt}>{fetching.error?.message}</ActionOutcome>
      {picture !== null && <img ref={show} className={styles.picture} alt={words.picture} />}
    </>
  );
}
