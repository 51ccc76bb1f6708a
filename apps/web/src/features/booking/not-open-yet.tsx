import type { ClinicConfig } from '@clinic/contract';
import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { ClinicContact } from '../../shared/ui/clinic-contact.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

/** Says plainly that a type cannot be booked online yet, and how to reach the clinic. */
export function NotOpenYet({
  config,
  children,
}: {
  config: ClinicConfig | null;
  children: ReactNode;
}) {
  return (
    <Notice kind="caution" title={t('booking.notOpenTitle')} role="status">
      <p>{children}</p>
      <ClinicContact config={config} />
    </Notice>
  );
}
