import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Download } from 'lucide-react';
import { useId } from 'react';
import { myData } from '../../messages/en/my-data.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { fetchFile, saveFile } from '../../api/download.ts';
import { useAction } from '../../shared/use-action.ts';
import styles from './account.module.css';

await loadMessages({ myData });

const FILE_NAME = 'my-clinic-data.zip';

/** A section of My Account: the patient takes along what is kept about them. */
export function MyDataSection() {
  const id = useId();
  const download = useAction(async () => {
    const file = await fetchFile('exportData', {});
    if (file !== null) saveFile(file, FILE_NAME);
    return file === null ? 'failed' : 'done';
  });
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{t('myData.title')}</h2>
      <p>{t('myData.what')}</p>
      {download.result === 'failed' && (
        <Notice kind="danger" role="alert">
          <p>{t('myData.failed')}</p>
        </Notice>
      )}
      <Button
        variant="secondary"
        className={styles.start}
        icon={<Download size={18} aria-hidden="true" />}
        busy={download.pending}
        busyLabel={t('myData.preparing')}
        onClick={() => download.run()}
      >
        {t('myData.download')}
      </Button>
      <p role="status">{download.result === 'done' && t('myData.done')}</p>
    </section>
  );
}
