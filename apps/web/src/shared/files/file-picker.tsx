import { Camera, Upload } from 'lucide-react';
import { useRef, useState, type DragEvent } from 'react';
import { t } from '../../messages/t.ts';
import { classNames } from '../class-names.ts';
import { FieldGroup, type FieldWords } from '../ui/field.tsx';
import { ChosenFile } from './chosen-file.tsx';
import { ACCEPT_ATTRIBUTE, type AcceptList } from './file-kind.ts';
import styles from './file-picker.module.css';
import './file-words.ts';
import { UploadProgress } from './upload-progress.tsx';
import { MOST_FILES, MOST_MEGABYTES, takeFiles, type FileRefusal } from './take-files.ts';

interface FilePickerProps extends FieldWords {
  /** The id of the control, for error summaries. */
  id?: string;
  accept: AcceptList;
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
  /** How much was sent, 0 to 1, while the files are on their way; nothing can be changed then. */
  sent?: number | null;
}

/** Up to three files, from the device, the camera or dropped (§5 File picker, R-80). */
export function FilePicker({
  id,
  label,
  hint,
  error,
  optional = false,
  accept,
  files,
  onChange,
  sent = null,
}: FilePickerProps) {
  const [refusals, setRefusals] = useState<readonly FileRefusal[]>([]);
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const busy = sent !== null;
  const kinds = t(`files.kinds.${accept}`);

  const offer = async (offered: readonly File[]) => {
    setOver(false);
    if (busy || offered.length === 0) return;
    const taken = await takeFiles(files, offered, accept);
    setRefusals(taken.refusals);
    onChange(taken.files);
  };
  const remove = (file: File) => {
    setRefusals([]);
    onChange(files.filter((other) => other !== file));
    chooser.current?.focus();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void offer([...event.dataTransfer.files]);
  };
  const hold = (event: DragEvent) => {
    event.preventDefault();
    if (!busy) setOver(true);
  };

  const problem = [...new Set(refusals.map((one) => wordsOf(one, kinds)))].join(' ');
  return (
    <FieldGroup
      id={id}
      label={label}
      optional={optional}
      hint={
        <>
          {hint} {t('files.limits', { kinds, most: MOST_FILES, megabytes: MOST_MEGABYTES })}
        </>
      }
      error={problem === '' ? error : problem}
    >
      {(wiring) => (
        <div
          className={classNames(styles.zone, over && styles.over)}
          onDragOver={hold}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <div className={styles.ways}>
            <label className={classNames(styles.way, busy && styles.busy)}>
              <Upload size={20} aria-hidden="true" />
              <span>{t('files.choose')}</span>
              <input
                {...wiring}
                ref={chooser}
                type="file"
                multiple
                className={styles.input}
                accept={ACCEPT_ATTRIBUTE[accept]}
                disabled={busy}
                onChange={(event) => {
                  const offered = [...(event.target.files ?? [])];
                  // The same file chosen again is a change again.
                  event.target.value = '';
                  void offer(offered);
                }}
              />
            </label>
            <label className={classNames(styles.way, styles.camera, busy && styles.busy)}>
              <Camera size={20} aria-hidden="true" />
              <span>{t('files.photo')}</span>
              <input
                type="file"
                className={styles.input}
                accept="image/*"
                capture="environment"
                disabled={busy}
                onChange={(event) => {
                  const offered = [...(event.target.files ?? [])];
                  event.target.value = '';
                  void offer(offered);
                }}
              />
            </label>
            <span className={styles.drop} aria-hidden="true">
              {t('files.drop')}
            </span>
          </div>
          {files.length > 0 && (
            <ul className={styles.list} aria-label={t('files.chosen')}>
              {files.map((file) => (
                <ChosenFile
                  key={`${file.name} ${file.size} ${file.lastModified}`}
                  file={file}
                  fixed={busy}
                  onRemove={() => remove(file)}
                />
              ))}
            </ul>
          )}
          <p className={styles.count} role="status">
            {t('files.count', { count: files.length })}
          </p>
          {busy && <UploadProgress sent={sent} />}
        </div>
      )}
    </FieldGroup>
  );
}

function wordsOf(refusal: FileRefusal, kinds: string): string {
  switch (refusal.code) {
    case 'tooMany':
    case 'heic':
      return t(`files.${refusal.code}`);
    case 'tooLarge':
      return t('files.tooLarge', { name: refusal.name, megabytes: MOST_MEGABYTES });
    case 'wrongKind':
      return t('files.wrongKind', { name: refusal.name, kinds });
    case 'empty':
    case 'twice':
    case 'unreadable':
      return t(`files.${refusal.code}`, { name: refusal.name });
  }
}
