import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { myData } from '../../messages/en/my-data.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { fetchFile, saveFile } from '../../api/download.ts';
import styles from './my-data.module.css';

loadMessages(myData);

const FILE_NAME = 'my-clinic-data.zip';

/** A section of My Account: the patient takes along what is kept about them. */
export function MyDataSection() {
  const id = useId();
  const [state, setState] = useState<'idle' | 'preparing' | 'failed' | 'done'>('idle');
  const download = async () => {
    setState('preparing');
    const file = await fetchFile('exportData', {});
    if (file !== null) saveFile(file, FILE_NAME);
    setState(file === null ? 'failed' : 'done');
  };
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{t('myData.title')}</h2>
      <p>{t('myData.what')}</p>
      {state === 'failed' && (
        <Notice kind="danger" role="alert">
          <p>{t('myData.failed')}</p>
        </Notice>
      )}
      <Button
        variant="secondary"
        className={styles.button}
        icon={<Download size={18} aria-hidden="true" />}
        busy={state === 'preparing'}
        busyLabel={t('myData.preparing')}
        onClick={() => void download()}
      >
        {t('myData.download')}
      </Button>
      <p role="status">{state === 'done' && t('myData.done')}</p>
    </section>
  );
}
