import { type ClinicDate, addDays } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { locale, t } from '../../shared/words.ts';

interface FollowUpProps {
  of: { recordId: string; patient: string; type: string; description: string };
  providerId: string;
  today: ClinicDate;
  onClose: () => void;
  onNoted: (says: string) => void;
}

const ANY = 'any';
/** In how many days a follow-up may be, and how that is said. */
const WHEN = [
  { days: 7, unit: 'weeks', n: 1 },
  { days: 14, unit: 'weeks', n: 2 },
  { days: 28, unit: 'weeks', n: 4 },
  { days: 61, unit: 'months', n: 2 },
  { days: 91, unit: 'months', n: 3 },
  { days: 182, unit: 'months', n: 6 },
] as const;

/** Notes that one wants to see a patient again. */
export function FollowUp({ of, providerId, today, onClose, onNoted }: FollowUpProps) {
  const [entryId] = useState(() => crypto.randomUUID());
  const [days, setDays] = useState<string>(ANY);
  const [type, setType] = useState(of.type);
  const from = days === ANY ? null : addDays(today, Number(days));
  return (
    <ActionDialog
      title={t('desk.own.wishTitle', { name: of.patient })}
      actsOn={entryId}
      does={t('desk.own.wish')}
      doing={t('desk.saving')}
      work={() =>
        ask('deskNoteWish', {
          params: { id: of.recordId, entryId },
          body: { kind: 'followUp', type: type || null, providerId, from, to: null },
        })
      }
      shows={[['patient']]}
      onDone={() => onNoted(t('desk.own.wishNoted', { name: of.patient }))}
      onClose={onClose}
    >
      <p>{t('desk.own.wishAbout')}</p>
      <SelectField
        label={t('desk.own.wishWhen')}
        options={[
          { value: ANY, label: t('desk.own.wishWhen.any') },
          ...WHEN.map(({ days: ahead, unit, n }) => ({
            value: String(ahead),
            label: t(`desk.own.wishWhen.${unit}`, { n }),
          })),
        ]}
        value={days}
        onChange={setDays}
      />
      {from !== null && <p>{t('desk.own.wishFrom', { day: formatDay(locale(), from) })}</p>}
      <SelectField
        label={t('desk.type')}
        options={[
          { value: of.type, label: of.description },
          { value: '', label: t('desk.wishAny') },
        ]}
        value={type}
        onChange={setType}
      />
    </ActionDialog>
  );
}
