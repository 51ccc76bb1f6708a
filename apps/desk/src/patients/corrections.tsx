import type { CallInput } from '@clinic/contract';
import { IDENTITY_CHECKS, type IdentityCheck, PROVINCES } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { RadioRows } from '@clinic/ui/radio-cards';
import { SelectField } from '@clinic/ui/select-field';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ask, isOvertaken } from '../api.ts';
import { useMay } from '../may.ts';
import { t } from '../words.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { type Patient, nameOf } from './patient-data.ts';
import styles from './patients.module.css';

interface CorrectionsProps {
  patient: Patient;
  /** The patient's id in the address. */
  id: string;
  onDone: (says: string) => void;
}

interface DialogProps extends CorrectionsProps {
  onClose: () => void;
}

type Asked = 'details' | 'email' | 'invite';

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
        {of === 'contact' && may('addPatient') && !isInEmr && !isOpen && (
          <Button onClick={() => setAsked('invite')}>{t('desk.invite')}</Button>
        )}
      </div>
      {Asking && (
        <Asking
          patient={patient}
          id={id}
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

function CorrectEmail({ patient, onClose, onDone }: DialogProps) {
  const { account } = patient;
  const [checked, setChecked] = useState<IdentityCheck | null>(null);
  const [email, setEmail] = useState('');
  return (
    <ChangeDialog
      title={t('desk.correctEmailTitle', { name: nameOf(patient) })}
      does={t('desk.correctEmailDo')}
      doing={t('desk.sendingLink')}
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        if (checked === null) throw new Error(t('desk.checkedMissing'));
        const params = { id: account?.id ?? '' };
        await ask('deskCorrectEmail', { params, body: { checked, email } });
        return t('desk.emailLinkSent', { email });
      }}
    >
      {(errorOf) => (
        <>
          <p>{t('desk.correctEmailAbout', { email: account?.email })}</p>
          <Check value={checked} onChange={setChecked} />
          <EmailField
            label={t('desk.newEmail')}
            required
            autoComplete="off"
            error={errorOf('email')}
            value={email}
            onChange={setEmail}
          />
        </>
      )}
    </ChangeDialog>
  );
}

function Invite({ patient, id, onClose, onDone }: DialogProps) {
  const [email, setEmail] = useState('');
  return (
    <ChangeDialog
      title={t('desk.inviteTitle', { name: nameOf(patient) })}
      does={t('desk.inviteDo')}
      doing={t('desk.sendingLink')}
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
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
    </ChangeDialog>
  );
}

function CorrectDetails({ patient, id, onClose, onDone }: DialogProps) {
  const queries = useQueryClient();
  // The version that the form began with; null once the writer has been shown a newer one.
  const [seen, setSeen] = useState<string | null>(patient.version);
  const [checked, setChecked] = useState<IdentityCheck | null>(null);
  const [details, setDetails] = useState<Details>({ ...patient, province: '', number: '' });
  return (
    <ChangeDialog
      title={t('desk.correctDetailsTitle', { name: nameOf(patient) })}
      does={t('desk.save')}
      doing={t('desk.saving')}
      onClose={onClose}
      onDone={onDone}
      onChange={async () => {
        if (checked === null) throw new Error(t('desk.checkedMissing'));
        const body = { checked, seen: seen ?? patient.version, ...bodyOf(details) };
        try {
          await ask('deskCorrectPatient', { params: { id }, body });
        } catch (error) {
          if (isOvertaken(error)) {
            await queries.invalidateQueries({ queryKey: ['patient', id] });
            setSeen(null);
          }
          throw error;
        }
        return t(patient.account === null ? 'desk.corrected' : 'desk.correctedMailed');
      }}
    >
      {(errorOf) => (
        <>
          {seen === null && (
            <Notice kind="caution">
              <p>
                {t('desk.saysNow', {
                  name: nameOf(patient),
                  born: patient.birthDate,
                  province: patient.card.province,
                })}
              </p>
            </Notice>
          )}
          <Check value={checked} onChange={setChecked} />
          <DetailFields
            details={details}
            noCard={t('desk.cardStays')}
            onChange={setDetails}
            errorOf={errorOf}
          />
        </>
      )}
    </ChangeDialog>
  );
}

interface NewPatientProps {
  /** Label of the button, where more than a record follows. */
  does?: string;
  onClose: () => void;
  onAdded: (recordId: string) => void;
}

/** Opens a record for a patient whom the clinic does not know yet. */
export function NewPatient({ does = t('desk.newPatientDo'), onClose, onAdded }: NewPatientProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [details, setDetails] = useState<Details>(NOBODY);
  return (
    <ChangeDialog
      title={t('desk.newPatientTitle')}
      does={does}
      doing={t('desk.saving')}
      onClose={onClose}
      onDone={onAdded}
      onChange={async () => {
        const body = { requestId, ...bodyOf(details) };
        return (await ask('deskAddPatient', { body })).extras.recordId;
      }}
    >
      {(errorOf) => (
        <>
          <p>{t('desk.newPatientAbout')}</p>
          <DetailFields
            details={details}
            noCard={t('desk.cardNotKnown')}
            onChange={setDetails}
            errorOf={errorOf}
          />
        </>
      )}
    </ChangeDialog>
  );
}

interface Details extends Pick<Patient, 'firstName' | 'lastName' | 'birthDate'> {
  /** '' when no card is entered. */
  readonly province: string;
  readonly number: string;
}

const NOBODY: Details = { firstName: '', lastName: '', birthDate: '', province: '', number: '' };

type Written = Omit<CallInput<'deskAddPatient'>['body'], 'requestId'>;

const bodyOf = ({ firstName, lastName, birthDate, province, number }: Details): Written => ({
  firstName,
  lastName,
  birthDate,
  ...(province !== '' && { card: { province, number } }),
});

interface DetailFieldsProps {
  details: Details;
  /** Placeholder of the province field, which says what it means to enter no card. */
  noCard: string;
  onChange: (details: Details) => void;
  errorOf: (field: string) => string | undefined;
}

function DetailFields({ details, noCard, onChange, errorOf }: DetailFieldsProps) {
  const { firstName, lastName, birthDate, province, number } = details;
  return (
    <>
      <TextField
        label={t('desk.firstName')}
        required
        autoComplete="off"
        maxLength={100}
        error={errorOf('firstName')}
        value={firstName}
        onChange={(value) => onChange({ ...details, firstName: value })}
      />
      <TextField
        label={t('desk.lastName')}
        required
        autoComplete="off"
        maxLength={100}
        error={errorOf('lastName')}
        value={lastName}
        onChange={(value) => onChange({ ...details, lastName: value })}
      />
      <TextField
        type="date"
        label={t('desk.dateOfBirth')}
        required
        width="short"
        error={errorOf('birthDate')}
        value={birthDate}
        onChange={(value) => onChange({ ...details, birthDate: value })}
      />
      <SelectField
        label={t('desk.cardProvince')}
        placeholder={noCard}
        options={PROVINCES.map((each) => ({
          value: each,
          label: each === 'Other' ? t('desk.cardNoneHere') : each,
        }))}
        error={errorOf('card.province')}
        value={province}
        onChange={(value) => onChange({ ...details, province: value })}
      />
      {province !== '' && province !== 'Other' && (
        <TextField
          label={t('desk.cardNumber')}
          required
          autoComplete="off"
          maxLength={40}
          error={errorOf('card.number')}
          value={number}
          onChange={(value) => onChange({ ...details, number: value })}
        />
      )}
    </>
  );
}
