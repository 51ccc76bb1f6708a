import type { ApiDaySheet } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Checkbox } from '@clinic/ui/checkbox';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { DeskDialog } from '../../shared/under-way.tsx';
import { t } from '../../shared/words.ts';
import { AS_THE_CLINIC_HAS_THEM, arrange, useArrangement } from './arrangement.ts';
import styles from './day.module.css';

interface ArrangeProps {
  /** All of the day, in their order. */
  providers: ApiDaySheet['providers'];
  onClose: () => void;
}

/** Whom the sheet shows, and in which order. */
export function ArrangeDialog({ providers, onClose }: ArrangeProps) {
  const { hidden, order } = useArrangement();
  const ids = providers.map(({ id }) => id);
  return (
    <DeskDialog
      title={t('desk.arrange.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={() => arrange(AS_THE_CLINIC_HAS_THEM)}>
            {t('desk.arrange.anew')}
          </Button>
          <Button onClick={onClose}>{t('desk.close')}</Button>
        </>
      }
    >
      <p>{t('desk.arrange.about')}</p>
      <ol className={styles.arrange}>
        {providers.map(({ id, name }) => (
          <li key={id}>
            <Checkbox
              label={name}
              checked={!hidden.includes(id)}
              onChange={(isShown) => {
                const others = hidden.filter((each) => each !== id);
                arrange({ order, hidden: isShown ? others : [...others, id] });
              }}
            />
            <Button
              variant="quiet"
              aria-label={t('desk.arrange.earlier', { name })}
              title={t('desk.arrange.earlier', { name })}
              onClick={() => arrange({ hidden, order: moved(order, ids, id, -1) })}
            >
              <ArrowUp size={18} aria-hidden="true" />
            </Button>
            <Button
              variant="quiet"
              aria-label={t('desk.arrange.later', { name })}
              title={t('desk.arrange.later', { name })}
              onClick={() => arrange({ hidden, order: moved(order, ids, id, 1) })}
            >
              <ArrowDown size={18} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ol>
    </DeskDialog>
  );
}

/** The order once a provider has changed places with the one before or after them, of those on the sheet. */
function moved(order: readonly string[], ids: readonly string[], id: string, by: 1 | -1) {
  const other = ids[ids.indexOf(id) + by];
  if (other === undefined) return order;
  const all = [...new Set([...order, ...ids])];
  return all.map((each) => (each === id ? other : each === other ? id : each));
}
