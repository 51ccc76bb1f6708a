import { automaticViews, formatDay } from '@clinic/domain';
import type { DateBounds, GridView } from '@clinic/domain';
import { useState, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import type { SearchResult } from './slot-search.ts';

interface NothingFoundProps {
  result: SearchResult;
  bounds: DateBounds;
  onSearchOn: (view: GridView) => void;
  /** Nothing is left to search: the patient chooses a day anew. */
  onOtherDay: () => void;
  /** The earliest time beyond what was searched, when there is one. */
  offer: ReactNode;
}

/** The modal after a search that found nothing: Yes goes on, No stays (R-15, §8). */
export function NothingFound({ result, bounds, onSearchOn, onOtherDay, offer }: NothingFoundProps) {
  const [closed, setClosed] = useState(false);
  if (closed) return null;
  const [next] = automaticViews(result.lastTried, bounds);
  return (
    <Dialog
      kind="alert"
      title={t('booking.warning')}
      onClose={() => setClosed(true)}
      actions={
        <>
          <Button onClick={() => (next ? onSearchOn(next) : onOtherDay())}>
            {t('booking.yes')}
          </Button>
          <Button variant="secondary" onClick={() => setClosed(true)}>
            {t('booking.no')}
          </Button>
        </>
      }
    >
      <p>{question(result)}</p>
      {offer}
    </Dialog>
  );
}

function question({ view, lastTried }: SearchResult): string {
  if (view.kind === 'day') return t('booking.noneOnDay', { date: formatDay(view.from) });
  const date = t('booking.range', { from: formatDay(view.from), to: formatDay(lastTried.to) });
  return t('booking.noneInRange', { date });
}
