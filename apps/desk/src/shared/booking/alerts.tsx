import { Notice } from '@clinic/ui/notice';
import { t } from '../words.ts';

/** What whoever is about to book has to know first: above the times, and read out at once. */
export function Alerts({ alerts = [] }: { alerts?: readonly string[] | undefined }) {
  if (alerts.length === 0) return null;
  return (
    <Notice kind="danger" role="alert" unasked title={t('desk.alerts')}>
      {alerts.map((alert, at) => (
        <p key={at}>{alert}</p>
      ))}
    </Notice>
  );
}
