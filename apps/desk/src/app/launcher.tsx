import { type StaffRole, mayAny } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Search } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { t } from '../shared/words.ts';
import { BookDialog } from '../shared/booking/dialogs.tsx';

/** Opens the booking's patient search, on any page also with Ctrl K. */
export function BookingLauncher({ roles }: { roles: readonly StaffRole[] }) {
  const [isOpen, setOpen] = useState(false);
  const may = mayAny(roles, 'findPatient') && mayAny(roles, 'bookAppointment');
  // The key is heard wherever the focus is, and from when the button can be seen.
  useLayoutEffect(() => {
    if (!may) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [may]);
  if (!may) return null;
  return (
    <>
      <Button
        variant="secondary"
        icon={<Search size={18} aria-hidden="true" />}
        aria-keyshortcuts="Control+K"
        title={t('desk.findPatientKeys')}
        onClick={() => setOpen(true)}
      >
        {t('desk.findPatient')}
      </Button>
      {isOpen && <BookDialog onClose={() => setOpen(false)} />}
    </>
  );
}
