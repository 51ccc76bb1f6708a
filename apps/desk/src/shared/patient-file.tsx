import { Outcome, useAction } from './desk-action.tsx';
import { Button } from '@clinic/ui/button';
import { saveFile } from '@clinic/ui/save-file';
import { usePictureOf } from '@clinic/ui/use-picture-of';
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
  const fetching = useAction({
    work: async (take: (file: Blob) => void) => take(await fetchFile()),
    gcTime: 0,
    changes: () => false,
  });
  const Icon = picture === null ? Eye : EyeOff;
  return (
    <>
      <span className={styles.buttons}>
        {mediaType.startsWith('image/') && (
          <Button
            variant={variant}
            busy={fetching.pending}
            busyLabel={words.opening}
            icon={<Icon size={18} aria-hidden="true" />}
            onClick={() => (picture === null ? fetching.run(setPicture) : setPicture(null))}
          >
            {picture === null ? words.show : words.hide}
          </Button>
        )}
        <Button
          variant={variant}
          busy={fetching.pending}
          icon={<Download size={18} aria-hidden="true" />}
          onClick={() => fetching.run((file) => saveFile(file, name))}
        >
          {words.save}
        </Button>
        {children}
      </span>
      <Outcome of={fetching} />
      {picture !== null && <img ref={show} className={styles.picture} alt={words.picture} />}
    </>
  );
}
