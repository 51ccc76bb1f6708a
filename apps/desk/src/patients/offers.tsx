import type { ApiDeskAccount, CallInput } from '@clinic/contract';
import { ELIGIBILITIES } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { RadioRows } from '@clinic/ui/radio-cards';
import { SelectField } from '@clinic/ui/select-field';
import { TextArea } from '@clinic/ui/text-area';
import { type ReactNode, useRef, useState } from 'react';
import { ask } from '../api.ts';
import { useMay } from '../may.ts';
import { t } from '../words.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { Fact } from './fact.tsx';
import { type Patient, nameOf } from './patient-data.ts';
import styles from './patients.module.css';

interface OffersProps {
  patient: Patient;
  account: ApiDeskAccount;
  /** Reports the outcome of a change; the page then reloads the patient. */
  onDone: (says: string) => void;
}

type Asked = 'offers' | 'block' | 'unblock' | 'close';

/** What a patient may book, and what prevents them from booking. */
export function Offers({ patient, account, onDone }: OffersProps) {
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  const isOpen = account.closedAt === null;
  const description = (code: string) =>
    patient.types.find((type) => type.code === code)?.description ?? code;
  const dialogOf: Record<Asked, (props: DialogProps) => ReactNode> = {
    offers: ChangeOffers,
    block: Block,
    unblock: Unblock,
    close: CloseAccount,
  };
  const Asking = asked && dialogOf[asked];
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('desk.eligibility')}>{account.eligibility}</Fact>
        <Fact name={t('desk.notOffered')}>
          {account.withoutTypes.length === 0
            ? t('desk.notOfferedNone')
            : account.withoutTypes.map(description).join(', ')}
        </Fact>
        {isOpen && <Fact name={t('desk.access')}>{t(`desk.block.${account.block}`)}</Fact>}
        {account.blockReason !== null && (
          <Fact name={t('desk.blockReason')}>{account.blockReason}</Fact>
        )}
      </dl>
      {isOpen && may('changePatient') && (
        <div className={styles.buttons}>
          <Button variant="secondary" onClick={() => setAsked('offers')}>
            {t('desk.changeOffers')}
          </Button>
          {account.block === 'none' ? (
            <Button variant="secondary" onClick={() => setAsked('block')}>
              {t('desk.block')}
            </Button>
          ) : (
            <Button variant="secondary" onClick={() => setAsked('unblock')}>
              {t('desk.unblock')}
            </Button>
          )}
          {may('closeAccount') && (
            <Button variant="danger" onClick={() => setAsked('close')}>
              {t('desk.closeAccount')}
            </Button>
          )}
        </div>
      )}
      {Asking && (
        <Asking
          patient={patient}
          account={account}
          onClose={() => setAsked(undefined)}
          onDone={(says) => {
            setAsked(undefined);
            onDone(says);
          }}
        />
      )}
    </>
  );
}

interface DialogProps extends OffersProps {
  onClose: () => void;
}

type Changes = CallInput<'deskChangePatient'>['body'];

function ChangeOffers({ patient, account, onClose, onDone }: DialogProps) {
  // As it stood when the dialog opened: it is refetched meanwhile.
  const [before] = useState({ ...account, providerId: patient.provider?.id ?? '' });
  // What was sent before is sent again, though it is as it was: the service may have taken it.
  const sent = useRef<Changes>({});
  const [eligibility, setEligibility] = useState(account.eligibility);
  const [providerId, setProviderId] = useState(before.providerId);
  const [withoutTypes, setWithoutTypes] = useState<readonly string[]>(account.withoutTypes);
  const isProviderOurs = !patient.isInEmr;
  const isSameTypes = withoutTypes.toSorted().join() === before.withoutTypes.toSorted().join();
  return (
    <ChangeDialog
      title={t('desk.changeOffersTitle', { name: nameOf(patient) })}
      does={t('desk.save')}
      doing={t('desk.saving')}
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        // Send only what changed here, as a colleague may have changed the rest meanwhile.
        const changed = {
          eligibility: eligibility !== before.eligibility,
          withoutTypes: !isSameTypes,
          providerId: providerId !== before.providerId,
        };
        const isSent = (field: keyof Changes) => changed[field] || field in sent.current;
        const body: Changes = {
          ...(isSent('eligibility') && { eligibility }),
          ...(isSent('withoutTypes') && { withoutTypes: [...withoutTypes] }),
          ...(isSent('providerId') && { providerId: providerId === '' ? null : providerId }),
        };
        sent.current = body;
        await ask('deskChangePatient', { params: { id: account.id }, body });
        return t('desk.offersChanged');
      }}
    >
      <SelectField
        label={t('desk.eligibility')}
        options={ELIGIBILITIES.map((each) => ({ value: each, label: each }))}
        value={eligibility}
        onChange={(value) =>
          setEligibility(ELIGIBILITIES.find((each) => each === value) ?? eligibility)
        }
      />
      {isProviderOurs && (
        <SelectField
          label={t('desk.responsible')}
          placeholder={t('desk.responsibleNone')}
          options={patient.providers.map(({ id, name }) => ({ value: id, label: name }))}
          value={providerId}
          onChange={setProviderId}
        />
      )}
      <CheckboxGroup
        label={t('desk.notOffered')}
        hint={t('desk.notOfferedHint')}
        options={patient.types.map(({ code, description }) => ({
          value: code,
          label: description,
        }))}
        values={withoutTypes}
        onToggle={(code) =>
          setWithoutTypes((before) =>
            before.includes(code) ? before.filter((each) => each !== code) : [...before, code],
          )
        }
      />
    </ChangeDialog>
  );
}

const BLOCKS = [
  { value: 'booking', label: 'desk.blockBooking', description: 'desk.blockBookingAbout' },
  { value: 'account', label: 'desk.blockAccount', description: 'desk.blockAccountAbout' },
] as const;

function Block({ patient, account, onClose, onDone }: DialogProps) {
  const name = nameOf(patient);
  const [block, setBlock] = useState<'booking' | 'account'>('booking');
  const [reason, setReason] = useState('');
  return (
    <ChangeDialog
      title={t('desk.blockTitle', { name })}
      does={t('desk.blockDo')}
      doing={t('desk.blocking')}
      isDanger
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        await ask('deskBlockPatient', { params: { id: account.id }, body: { block, reason } });
        return t(block === 'booking' ? 'desk.blockedBooking' : 'desk.blockedAccount', { name });
      }}
    >
      <RadioRows
        label={t('desk.blockWhat')}
        options={BLOCKS.map(({ value, label, description }) => ({
          value,
          label: t(label),
          description: t(description),
        }))}
        value={block}
        onChange={setBlock}
      />
      <TextArea
        label={t('desk.blockWhy')}
        hint={t('desk.blockWhyHint')}
        required
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
    </ChangeDialog>
  );
}

function Unblock({ patient, account, onClose, onDone }: DialogProps) {
  const name = nameOf(patient);
  return (
    <ChangeDialog
      title={t('desk.unblockTitle', { name })}
      does={t('desk.unblock')}
      doing={t('desk.unblocking')}
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        await ask('deskBlockPatient', { params: { id: account.id }, body: { block: 'none' } });
        return t('desk.unblocked', { name });
      }}
    >
      <p>{t('desk.unblockAbout')}</p>
    </ChangeDialog>
  );
}

function CloseAccount({ patient, account, onClose, onDone }: DialogProps) {
  return (
    <ChangeDialog
      title={t('desk.closeAccountTitle', { name: nameOf(patient) })}
      does={t('desk.closeAccount')}
      doing={t('desk.closingAccount')}
      isDanger
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        const { extras } = await ask('deskCloseAccount', { params: { id: account.id }, body: {} });
        return t('desk.accountClosedNow', { appointments: extras.appointments });
      }}
    >
      <p>{t('desk.closeAccountAbout')}</p>
    </ChangeDialog>
  );
}
