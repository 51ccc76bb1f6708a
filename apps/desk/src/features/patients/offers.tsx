import type { ApiDeskAccount, CallInput } from '@clinic/contract';
import { ELIGIBILITIES } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { RadioRows } from '@clinic/ui/radio-cards';
import { SelectField } from '@clinic/ui/select-field';
import { TextArea } from '@clinic/ui/text-area';
import { type ReactNode, useRef, useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { useFormOver } from '../../shared/form-over.tsx';
import { useMay } from '../../shared/may.ts';
import { t } from '../../shared/words.ts';
import { Fact, Facts } from '../../shared/fact.tsx';
import {
  type Done,
  type Patient,
  type PatientDialog,
  nameOf,
  patientDialog,
} from './patient-data.ts';
import styles from './patients.module.css';

interface OffersProps {
  patient: Patient;
  account: ApiDeskAccount;
  /** Reports the outcome of a change; the page then reloads the patient. */
  onDone: Done;
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
      <Facts>
        <Fact name={t('desk.eligibility')}>{account.eligibility}</Fact>
        <Fact name={t('desk.notOffered')}>
          {account.withoutTypes.length === 0
            ? t('desk.notOfferedNone')
            : account.withoutTypes.map(description).join(', ')}
        </Fact>
        {isOpen && (
          <Fact name={t('desk.access')}>
            {t(`desk.block.${account.notVisible ? 'notVisible' : account.block}`)}
          </Fact>
        )}
        {account.blockReason !== null && (
          <Fact name={t('desk.blockReason')}>{account.blockReason}</Fact>
        )}
      </Facts>
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
          dialog={patientDialog(() => setAsked(undefined), onDone)}
        />
      )}
    </>
  );
}

interface DialogProps extends Omit<OffersProps, 'onDone'> {
  dialog: PatientDialog;
}

type Changes = CallInput<'deskChangePatient'>['body'];
type Field = keyof Changes;

function ChangeOffers({ patient, account, dialog }: DialogProps) {
  const form = useFormOver(
    {
      eligibility: account.eligibility,
      providerId: patient.provider?.id ?? '',
      withoutTypes: account.withoutTypes.toSorted(),
    },
    patient.formVersion,
  );
  const { eligibility, providerId, withoutTypes } = form.draft;
  // What was sent before is sent again, though it is as it was: the service may have taken it.
  const sent = useRef<readonly Field[]>([]);
  const isProviderOurs = !patient.isInEmr;
  const descriptionOf = (code: string) =>
    patient.types.find((each) => each.code === code)?.description ?? code;
  const savedNow = {
    eligibility: { label: t('desk.eligibility'), saved: account.eligibility },
    providerId: {
      label: t('desk.responsible'),
      saved: patient.provider?.name ?? t('desk.responsibleNone'),
    },
    withoutTypes: {
      label: t('desk.notOffered'),
      saved: account.withoutTypes.map(descriptionOf).join(', ') || t('desk.notOfferedNone'),
    },
  };
  return (
    <ActionDialog
      title={t('desk.changeOffersTitle', { name: nameOf(patient) })}
      does={t('desk.save')}
      doing={t('desk.saving')}
      {...dialog}
      work={async () => {
        const fields = [...new Set([...form.typed, ...sent.current])];
        const body: Changes = {
          ...(fields.includes('eligibility') && { eligibility }),
          ...(fields.includes('withoutTypes') && { withoutTypes: [...withoutTypes] }),
          ...(fields.includes('providerId') && { providerId: providerId || null }),
        };
        const headers = form.headers(fields);
        sent.current = fields;
        const { extras } = await ask('deskChangePatient', {
          params: { id: account.id },
          headers,
          body,
        });
        return extras?.fees;
      }}
      onDone={(fees) => dialog.onDone(t('desk.offersChanged'), fees)}
    >
      {form.elsewhere((name) => savedNow[name])}
      <SelectField
        label={t('desk.eligibility')}
        options={ELIGIBILITIES.map((each) => ({ value: each, label: each }))}
        value={eligibility}
        onChange={(next) => form.change({ eligibility: next })}
      />
      {isProviderOurs && (
        <SelectField
          label={t('desk.responsible')}
          placeholder={t('desk.responsibleNone')}
          options={patient.providers.map(({ id, name }) => ({ value: id, label: name }))}
          value={providerId}
          onChange={(next) => form.change({ providerId: next })}
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
          form.change({
            withoutTypes: withoutTypes.includes(code)
              ? withoutTypes.filter((each) => each !== code)
              : [...withoutTypes, code].toSorted(),
          })
        }
      />
    </ActionDialog>
  );
}

/** The form of a block over the block that stands by now. */
function useBlock({ patient, account, dialog }: DialogProps, wanted: (string | null)[]) {
  const { block, blockReason } = account;
  const form = useFormOver({ block: [block, blockReason] }, patient.formVersion, { block: wanted });
  const saved = [t(`desk.block.${block}`), blockReason].filter(Boolean).join(' – ');
  const elsewhere = form.elsewhere(() => ({ label: t('desk.access'), saved }), dialog.onClose);
  return { headers: form.headers, elsewhere };
}

const BLOCKS = [
  { value: 'booking', label: 'desk.blockBooking', description: 'desk.blockBookingAbout' },
  { value: 'account', label: 'desk.blockAccount', description: 'desk.blockAccountAbout' },
] as const;

function Block(props: DialogProps) {
  const { patient, account, dialog } = props;
  const name = nameOf(patient);
  const [block, setBlock] = useState<'booking' | 'account'>('booking');
  const [reason, setReason] = useState('');
  const form = useBlock(props, [block, reason.trim()]);
  return (
    <ActionDialog
      title={t('desk.blockTitle', { name })}
      does={t('desk.blockDo')}
      doing={t('desk.blocking')}
      isDanger
      {...dialog}
      work={async () => {
        const params = { id: account.id };
        const body = { block, reason };
        await ask('deskBlockPatient', { params, headers: form.headers(['block']), body });
        return t(block === 'booking' ? 'desk.blockedBooking' : 'desk.blockedAccount', { name });
      }}
    >
      {form.elsewhere}
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
    </ActionDialog>
  );
}

function Unblock(props: DialogProps) {
  const { patient, account, dialog } = props;
  const name = nameOf(patient);
  const form = useBlock(props, ['none', null]);
  return (
    <ActionDialog
      title={t('desk.unblockTitle', { name })}
      does={t('desk.unblock')}
      doing={t('desk.unblocking')}
      {...dialog}
      work={async () => {
        const params = { id: account.id };
        const body = { block: 'none' } as const;
        const headers = form.headers(['block']);
        const { extras } = await ask('deskBlockPatient', { params, headers, body });
        return t(extras?.booksOnline ? 'desk.unblocked' : 'desk.unblockedOnly', { name });
      }}
    >
      {form.elsewhere}
      <p>{t(account.notVisible ? 'desk.unblockNotVisible' : 'desk.unblockAbout')}</p>
    </ActionDialog>
  );
}

function CloseAccount({ patient, account, dialog }: DialogProps) {
  return (
    <ActionDialog
      title={t('desk.closeAccountTitle', { name: nameOf(patient) })}
      does={t('desk.closeAccount')}
      doing={t('desk.closingAccount')}
      isDanger
      {...dialog}
      work={async () => {
        const { extras } = await ask('deskCloseAccount', { params: { id: account.id }, body: {} });
        return t('desk.accountClosedNow', { appointments: extras.appointments });
      }}
    >
      <p>{t('desk.closeAccountAbout')}</p>
    </ActionDialog>
  );
}
