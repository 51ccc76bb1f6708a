import { useFormOver as useFormOverKept } from '@clinic/app/form-over';
import type { KeptForm } from '@clinic/ui/changed-elsewhere';
import { type ReactNode, useState } from 'react';
import { t } from './words.ts';

/** A form over what is stored. `typed` is what it sets where that is not what it shows at first. */
export function useFormOver<Form extends object>(
  now: Form,
  version: string | undefined,
  typed?: Form,
) {
  const [held, keep] = useState<KeptForm<Form> | null>(typed ? { base: now, typed } : null);
  return useKeptFormOver(now, version, [held && typed ? { ...held, typed } : held, keep]);
}

/** The same of what is kept elsewhere. */
export function useKeptFormOver<Form extends object>(
  now: Form,
  version: string | undefined,
  kept: Parameters<typeof useFormOverKept<Form>>[2],
) {
  const form = useFormOverKept(now, version, kept);
  return {
    ...form,
    elsewhere: (
      shown: (name: keyof Form & string) => { readonly label: string; readonly saved: ReactNode },
      onTaken?: () => void,
    ) =>
      form.elsewhere({
        says: t('desk.changedElsewhere'),
        shown,
        onChoose: (choice) => {
          if (choice === 'saved') onTaken?.();
        },
      }),
  };
}
