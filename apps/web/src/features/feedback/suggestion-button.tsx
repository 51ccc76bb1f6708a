import { later } from '@clinic/app/later';
import { patientPages } from '@clinic/domain';
import { Bug } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { suggestion } from '../../messages/en/suggestion.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './suggestion.module.css';

await loadMessages({ suggestion });

const SuggestionDialog = later(
  async () => (await import('./suggestion-dialog.tsx')).SuggestionDialog,
);

const APPOINTMENT_PAGES: readonly string[] = [patientPages.booking, patientPages.appointments];

type Open = { readonly picture: string | null; readonly isAppointment: boolean };

/** The floating button: takes a picture of the page, then opens the dialog. */
export function SuggestionButton() {
  const [pathname] = useLocation();
  const [taking, setTaking] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);

  const begin = async () => {
    setTaking(true);
    const dialog = SuggestionDialog.bring().catch(() => null);
    // A suggestion can be sent without a picture.
    const picture = await import('./take-picture.ts')
      .then(({ takePicture }) => takePicture())
      .catch(() => null);
    const loaded = await dialog;
    setTaking(false);
    // If the dialog's code cannot be loaded, the page stays as it is and the next press tries again.
    if (loaded === null) announce('error', t('ui.unreachable'));
    else setOpen({ picture, isAppointment: APPOINTMENT_PAGES.includes(pathname) });
  };

  return (
    <>
      <button
        type="button"
        className={styles.icon}
        data-not-on-picture=""
        aria-label={t(taking ? 'suggestion.taking' : 'suggestion.open')}
        title={t('suggestion.open')}
        aria-disabled={taking}
        onClick={() => taking || void begin()}
      >
        <Bug size={22} aria-hidden="true" />
      </button>
      {open && (
        <SuggestionDialog
          {...open}
          // A late answer to one dialog must not close a later one.
          onClose={() => setOpen((now) => (now === open ? null : now))}
        />
      )}
    </>
  );
}
