import { Button } from '@clinic/ui/button';
import { Fact, Facts } from '../../shared/fact.tsx';
import { DeskDialog } from '../../shared/under-way.tsx';
import { t } from '../../shared/words.ts';

const KEYS = ['arrows', 'enter', 'escape', 'a', 'r', 'm', 'f', 'n', 'w', 'z', 'help'] as const;

/** What the keys do on the sheet. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <DeskDialog
      title={t('desk.keys')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('desk.close')}</Button>}
    >
      <Facts>
        {KEYS.map((key) => (
          <Fact key={key} name={t(`desk.key.${key}`)}>
            {t(`desk.keyDoes.${key}`)}
          </Fact>
        ))}
      </Facts>
    </DeskDialog>
  );
}
