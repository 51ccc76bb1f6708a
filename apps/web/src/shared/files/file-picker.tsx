import { focusByPress } from '@clinic/ui/focus';
import { Camera, Upload, FileText, X } from 'lucide-react';
import { useRef, useState, useId, type ChangeEvent, type DragEvent } from 'react';
import { MOST_FILE_BYTES, MOST_FILES, withoutControls, type AcceptedFiles } from '@clinic/domain';
import { text } from '@clinic/contract/told-by-pages';
import { formatChoice } from '@clinic/texts';
import { classNames } from '@clinic/ui/class-names';
import { FieldGroup, type FieldWords } from '@clinic/ui/field';
import {
  askedKinds,
  kindNames,
  takeFiles,
  whyRefused,
  type FileRefusal,
} from '@clinic/ui/take-files';
import { usePictureOf } from '@clinic/ui/use-picture-of';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { locale, t } from '../../messages/t.ts';
import styles from './file-picker.module.css';
import { fileSize } from './file-size.ts';
import './file-words.ts';

const MOST_MEGABYTES = MOST_FILE_BYTES / 1024 / 1024;

interface FilePickerProps extends FieldWords {
  /** The id of the control, for error summaries. */
  id?: string;
  accept: AcceptedFiles;
  files: readonly File[];
  /** Receives an update function, as a file may turn out to be wrong after other changes. */
  onChange: (change: (files: readonly File[]) => readonly File[]) => void;
  /** Uploaded share, 0 to 1; null when no upload runs. During an upload nothing can be changed. */
  sent?: number | null;
}

/** Picks up to three files from the device, the camera or by drag and drop. */
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
  const kinds = kindsIn(accept);

  const without = (file: File) =>
    onChange((now) => (now.includes(file) ? now.filter((other) => other !== file) : now));
  const offer = (offered: readonly File[]) => {
    setOver(false);
    if (busy || offered.length === 0) return;
    const taken = takeFiles(files, offered);
    setRefusals(taken.refusals);
    onChange(() => taken.files);
    for (const file of taken.files.slice(files.length)) void look(file);
  };
  const look = async (file: File) => {
    const refusal = await whyRefused(file, accept);
    if (refusal === null) return;
    setRefusals((before) => [...before, refusal]);
    without(file);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const offered = [...(target.files ?? [])];
    // Otherwise choosing the same file again would fire no change event.
    target.value = '';
    offer(offered);
  };
  const remove = (file: File) => {
    setRefusals([]);
    without(file);
    focusByPress(chooser.current);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    offer([...event.dataTransfer.files]);
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
                accept={askedKinds(accept)}
                disabled={busy}
                onChange={choose}
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
                onChange={choose}
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

/** 'JPEG, PNG or PDF'; the names of formats are the same in every language. */
const kindsIn = (accept: AcceptedFiles): string => formatChoice(locale(), kindNames(accept));

function wordsOf(refusal: FileRefusal, kinds: string): string {
  switch (refusal.code) {
    case 'tooMany':
      return t('files.tooMany');
    case 'heic':
      return t('files.refused', { name: refusal.name, why: t('files.heic') });
    case 'tooLarge':
      return t('files.tooLarge', { name: refusal.name, megabytes: MOST_MEGABYTES });
    case 'wrongKind':
      return t('files.wrongKind', { name: refusal.name, kinds });
    case 'empty':
    case 'twice':
    case 'unreadable':
      return t(`files.${refusal.code}`, { name: refusal.name });
    default:
      return t('files.refused', { name: refusal.name, why: text(locale(), refusal.code) });
  }
}

interface ChosenFileProps {
  file: File;
  /** True during the upload, when the file cannot be removed. */
  fixed: boolean;
  onRemove: () => void;
}

/** A chosen file with its picture, name and size. */
function ChosenFile({ file, fixed, onRemove }: ChosenFileProps) {
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

/** Progress of an upload; after 100 % the service still checks the files. */
function UploadProgress({ sent }: { sent: number }) {
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
