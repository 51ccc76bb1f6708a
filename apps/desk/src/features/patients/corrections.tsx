import { UserFacingError } from '@clinic/app/api-error';
import { IDENTITY_CHECKS, type IdentityCheck } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Checkbox } from '@clinic/ui/checkbox';
import { Notice } from '@clinic/ui/notice';
import { RadioRows } from '@clinic/ui/radio-cards';
import { EmailField } from '@clinic/ui/text-field';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { DetailFields, type Details, bodyOf } from '../../shared/booking/detail-fields.tsx';
import { ask } from '../../shared/api.ts';
import { useFormOver } from '../../shared/form-over.tsx';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import {
  type Done,
  type Patient,
  type PatientDialog,
  nameOf,
  patientDialog,
} from './patient-data.ts';
import styles from './patients.module.css';

interface CorrectionsProps {
  patient: Patient;
  /** The patient's id in the address. */
  id: string;
  onDone: Done;
}

interface DialogProps extends Omit<CorrectionsProps, 'onDone'> {
  dialog: PatientDialog;
}

type Asked = 'details' | 'email' | 'decide' | 'invite';

/** Corrections to a patient's identity (`person`) or to the address they are written to (`contact`). */
export function Corrections({
  of,
  patient,
  id,
  onDone,
}: CorrectionsProps & { of: 'person' | 'contact' }) {
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  const { account, isInEmr } = patient;
  const isOpen = account?.closedAt === null;
  const mayCorrect = may('correctPatient') && !isInEmr && (account === null || isOpen);
  const dialogOf: Record<Asked, (props: DialogProps) => ReactNode> = {
    details: CorrectDetails,
    email: CorrectEmail,
    decide: DecideAddress,
    invite: Invite,
  };
  const Asking = asked && dialogOf[asked];
  return (
    <>
      <div className={styles.buttons}>
        {of === 'person' && mayCorrect && (
          <Button variant="secondary" onClick={() => setAsked('details')}>
            {t('desk.correctDetails')}
          </Button>
        )}
        {of === 'contact' && may('correctPatient') && isOpen && (
          <Button variant="secondary" onClick={() => setAsked('email')}>
            {t('desk.correctEmail')}
          </Button>
        )}
        {of === 'contact' && may('decideAddress') && patient.addressChange !== null && (
          <Button variant="secondary" onClick={() => setAsked('decide')}>
            {t('desk.addressDecide')}
          </Button>
        )}
        {of === 'contact' && may('addPatient') && !isInEmr && !isOpen && (
          <Button onClick={() => setAsked('invite')}>{t('desk.invite')}</Button>
        )}
      </div>
      {Asking && (
        <Asking
          patient={patient}
          id={id}
          dialog={patientDialog(() => setAsked(undefined), onDone)}
        />
      )}
    </>
  );
}

interface CheckProps {
  value: IdentityCheck | null;
  onChange: (value: IdentityCheck) => void;
}

function Check({ value, onChange }: CheckProps) {
  return (
    <RadioRows
      label={t('desk.checked')}
      hint={t('desk.checkedHint')}
      options={IDENTITY_CHECKS.map((each) => ({ value: each, label: t(`desk.checked.${each}`) }))}
      value={value}
      onChange={onChange}
    />
  );
}

function CorrectEmail({ patient, dialog }: DialogProps) {
  const { account } = patient;
  const [checked, setChecked] = useState<IdentityCheck | null>(null);
  const [email, setEmail] = useState('');
  const [isMailboxLost, setMailboxLost] = useState(false);
  return (
    <ActionDialog
      title={t('desk.correctEmailTitle', { name: nameOf(patient) })}
      does={t('desk.correctEmailDo')}
      doing={t('desk.sendingLink')}
      {...dialog}
      work={async () => {
        if (checked === null) throw new UserFacingError(t('desk.checkedMissing'));
        const params = { id: account?.id ?? '' };
        await ask('deskCorrectEmail', { params, body: { checked, email, isMailboxLost } });
        return t('desk.emailLinkSent', { email });
      }}
    >
      {(errorOf) => (
        <>
          <p>{t('desk.correctEmailAbout', { email: account?.email ?? '' })}</p>
          <Check value={checked} onChange={setChecked} />
          <EmailField
            label={t('desk.newEmail')}
            required
            autoComplete="off"
            error={errorOf('email')}
            value={email}
            onChange={setEmail}
          />
          <Checkbox
            label={t('desk.mailboxLost')}
            checked={isMailboxLost}
            onChange={setMailboxLost}
          />
          {isMailboxLost && <p>{t('desk.mailboxLostHint')}</p>}
        </>
      )}
    </ActionDialog>
  );
}

function DecideAddress({ patient, dialog }: DialogProps) {
  const { account, addressChange } = patient;
  const [counts, setCounts] = useState<'new' | 'present' | null>(null);
  const [isSeen, setSeen] = useState(false);
  const present = {
    value: 'present' as const,
    label: t('desk.addressPresent', { email: account?.email ?? '' }),
  };
  const other = {
    value: 'new' as const,
    label: t('desk.addressNew', { email: addressChange?.email ?? '' }),
  };
  return (
    <ActionDialog
      title={t('desk.addressDecideTitle', { name: nameOf(patient) })}
      does={t('desk.addressSave')}
      doing={t('desk.addressSaving')}
      {...dialog}
      work={async () => {
        if (counts === null || !isSeen) throw new UserFacingError(t('desk.addressMissing'));
        const params = { id: account?.id ?? '' };
        await ask('deskDecideAddress', { params, body: { checked: 'photoIdSeen', counts } });
        return t('desk.addressDecided');
      }}
    >
      <RadioRows
        label={t('desk.addressDecide')}
        options={addressChange?.isDone ? [present] : [other, present]}
        value={counts}
        onChange={setCounts}
      />
      <Checkbox label={t('desk.addressSeen')} checked={isSeen} onChange={setSeen} />
    </ActionDialog>
  );
}

/** What a corrected address waits for. */
export function AddressWaits({ patient: { addressChange } }: { patient: Patient }) {
  if (addressChange === null) return null;
  const { email, countsFrom, isStopped, isProven, isMailboxLost, askedBy } = addressChange;
  const values = { email, when: formatMoment(locale(), countsFrom) };
  return (
    <Notice kind="caution">
      <p>
        {isStopped
          ? t('desk.addressStopped', { email })
          : t(isProven ? 'desk.addressProven' : 'desk.addressWaits', values)}{' '}
        {askedBy && t('desk.addressAskedBy', { name: askedBy })}
      </p>
      {isMailboxLost && <p>{t('desk.addressLost')}</p>}
    </Notice>
  );
}

function Invite({ patient, id, dialog }: DialogProps) {
  const [email, setEmail] = useState('');
  return (
    <ActionDialog
      title={t('desk.inviteTitle', { name: nameOf(patient) })}
      does={t('desk.inviteDo')}
      doing={t('desk.sendingLink')}
      {...dialog}
      work={async () => {
        await ask('deskInvitePatient', { params: { id }, body: { email } });
        return t('desk.invited', { email });
      }}
    >
      {(errorOf) => (
        <>
          <p>{t('desk.inviteAbout')}</p>
          <EmailField
            label={t('desk.email')}
            required
            autoComplete="off"
            error={errorOf('email')}
            value={email}
            onChange={setEmail}
          />
        </>
      )}
    </ActionDialog>
  );
}

function CorrectDetails({ patient, id, dialog }: DialogProps) {
  const { firstName, lastName, birthDate, formVersion } = patient;
  // The number is not shown here: its hash tells that it was changed.
  const card = /(?:^|,)card:([^,]*)/.exec(formVersion ?? '')?.[1] ?? '';
  const form = useFormOver({ firstName, lastName, birthDate, card }, formVersion);
  const [typedCard, setTypedCard] = useState(NO_CARD);
  const [checked, setChecked] = useState<IdentityCheck | null>(null);
  const details: Details = { ...form.draft, ...typedCard };
  const setDetails = ({ province, number, ...names }: Details) => {
    setTypedCard({ province, number });
    const isCardTyped = province === '' ? {} : { card: 'typed' };
    form.change({
      ...(names.firstName !== details.firstName && { firstName: names.firstName }),
      ...(names.lastName !== details.lastName && { lastName: names.lastName }),
      ...(names.birthDate !== details.birthDate && { birthDate: names.birthDate }),
      ...isCardTyped,
    });
  };
  const savedNow = {
    firstName: { label: t('desk.firstName'), saved: firstName },
    lastName: { label: t('desk.lastName'), saved: lastName },
    birthDate: { label: t('desk.dateOfBirth'), saved: birthDate },
    card: { label: t('desk.cardProvince'), saved: patient.card.province },
  };
  return (
    <ActionDialog
      title={t('desk.correctDetailsTitle', { name: nameOf(patient) })}
      does={t('desk.save')}
      doing={t('desk.saving')}
      {...dialog}
      work={async () => {
        if (checked === null) throw new UserFacingError(t('desk.checkedMissing'));
        const body = { checked, ...bodyOf(details) };
        const headers = form.headers();
        const { extras } = await ask('deskCorrectPatient', { params: { id }, headers, body });
        return extras?.fees;
      }}
      onDone={(fees) =>
        dialog.onDone(t(patient.account === null ? 'desk.corrected' : 'desk.correctedMailed'), fees)
      }
    >
      {(errorOf) => (
        <>
          {form.elsewhere((name) => savedNow[name])}
          <Check value={checked} onChange={setChecked} />
          <DetailFields
            details={details}
            noCard={t('desk.cardStays')}
            onChange={setDetails}
            errorOf={errorOf}
          />
        </>
      )}
    </ActionDialog>
  );
}

const NO_CARD = { province: '', number: '' };
