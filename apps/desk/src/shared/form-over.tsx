import {
  ChangedElsewhere,
  type KeptForm,
  choose,
  formHeaders,
  overNow,
  type,
} from '@clinic/ui/changed-elsewhere';
import { type ReactNode, useState } from 'react';
import { t } from './words.ts';

/**
 * A form over what is stored by now: what a colleague saves meanwhile is shown, and what both have changed is
 * asked about. `typed` is what the form sets where that is not what it shows at first.
 */
export function useFormOver<Form extends object>(
  now: Form,
  version: string | undefined,
  typed?: Form,
) {
  const [held, keep] = useState<KeptForm<Form> | null>(typed ? { base: now, typed } : null);
  const { base, typed: own } = held ?? { base: now, typed: now };
  const kept = { base, typed: typed ?? own };
  const over = overNow(kept, now);
  const { changed, conflicts } = over;
  return {
    ...over,
    change: (part: Partial<Form>) => keep(type(kept, now, part)),
    /** As nothing is typed, it shows what is stored. */
    startAnew: () => keep(null),
    /** What the call is sent with. Throws while there is something to choose. */
    headers: (names: readonly string[] = over.typed) => {
      if (conflicts.length > 0) throw new Error(t('ui.chooseFirst'));
      return formHeaders(version, names);
    },
    /** What a colleague has changed, and the choice. */
    elsewhere: (
      shown: (name: keyof Form & string) => { readonly label: string; readonly saved: ReactNode },
      onTaken?: () => void,
    ) =>
      changed.length > 0 && (
        <ChangedElsewhere
          conflicts={conflicts.map((name) => ({ name, ...shown(name) }))}
          onChoose={(name, choice) => {
            keep(choose(kept, now, name, choice));
            if (choice === 'saved') onTaken?.();
          }}
        >
          {t('desk.changedElsewhere')}
        </ChangedElsewhere>
      ),
  };
}
