import { UserFacingError, codeOf, isUnknown } from '@clinic/app/api-error';
import type { CallAnswer } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { TextField } from '@clinic/ui/text-field';
import { useRef, useState } from 'react';
import { ActionDialog } from '../action-dialog.tsx';
import { ask } from '../api.ts';
import { FoundList } from './found-list.tsx';
import { t } from '../words.ts';
import styles from './booking.module.css';
import { DetailFields, type Details, bodyOf } from './detail-fields.tsx';

interface NewPatientProps {
  /** Label of the button, where more than a record follows. */
  does?: string;
  onClose: () => void;
  /** Called with the new record, or with the account or record of somebody who is known already. */
  onPerson: (id: string) => void;
}

type Likely = CallAnswer<'deskLikelyPatients'>['extras']['patients'];

interface NewDetails extends Details {
  readonly phone: string;
}

const NAMELESS = { firstName: '', lastName: '', birthDate: '' };
const NOBODY: NewDetails = { ...NAMELESS, province: '', number: '', phone: '' };

const newBodyOf = (details: NewDetails) => ({
  ...bodyOf(details),
  ...(details.phone !== '' && { phone: details.phone }),
});
/** What the first press returns when it opened no record. */
const NONE = '';

/** Opens a record for a patient whom the clinic does not know yet, once nobody likely is who they are. */
export function NewPatient({ does = t('desk.newPatientDo'), onClose, onPerson }: NewPatientProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [details, setDetails] = useState(NOBODY);
  const [likely, setLikely] = useState<Likely>([]);
  /** The details that nobody fitted: sent again, they do not find the record that they may have opened. */
  const unknown = useRef<NewDetails>(undefined);

  async function look(): Promise<Likely> {
    try {
      return (await ask('deskLikelyPatients', { body: newBodyOf(details) })).extras.patients;
    } catch (error) {
      // A look has done nothing, whether its answer was lost or not.
      throw isUnknown(error) ? new UserFacingError(t('desk.likelyUnknown')) : error;
    }
  }

  async function add(): Promise<string> {
    const apartFrom = likely.map(({ recordId }) => recordId);
    const body = { requestId, ...newBodyOf(details), ...(apartFrom.length > 0 && { apartFrom }) };
    try {
      return (await ask('deskAddPatient', { body })).extras.recordId;
    } catch (error) {
      if (codeOf(error) !== 'likelyKnown') throw error;
      // A colleague has opened a record meanwhile.
      unknown.current = undefined;
      setLikely(await look());
      if (apartFrom.length > 0) throw error;
      return NONE;
    }
  }

  async function lookAndAdd(): Promise<string> {
    if (unknown.current !== details) {
      const found = await look();
      setLikely(found);
      if (found.length > 0) return NONE;
      unknown.current = details;
    }
    return add();
  }

  if (likely.length > 0)
    return (
      <ActionDialog
        key="likely"
        title={t('desk.likelyTitle')}
        actsOn={requestId}
        does={t('desk.likelyNone')}
        doing={t('desk.saving')}
        shows={[['patient']]}
        onClose={onClose}
        onDone={onPerson}
        work={add}
      >
        {(errorOf) => (
          <>
            <p>
              {t('desk.likelyAbout', {
                name: `${details.firstName} ${details.lastName}`,
                date: details.birthDate,
              })}
            </p>
            <FoundList
              patients={likely}
              label={t('desk.likelyTitle')}
              onPick={({ patientId, recordId }) => onPerson(patientId ?? recordId)}
            />
            {errorOf('card.number') !== undefined && <p>{errorOf('card.number')}</p>}
            <div className={styles.buttons}>
              <Button variant="secondary" onClick={() => setLikely([])}>
                {t('desk.likelyBack')}
              </Button>
            </div>
          </>
        )}
      </ActionDialog>
    );
  return (
    <ActionDialog
      key="details"
      title={t('desk.newPatientTitle')}
      does={does}
      doing={t('desk.saving')}
      shows={[['patient']]}
      onClose={onClose}
      onDone={(recordId) => {
        if (recordId !== NONE) onPerson(recordId);
      }}
      work={lookAndAdd}
    >
      {(errorOf) => (
        <>
          <p>{t('desk.newPatientAbout')}</p>
          <DetailFields
            details={details}
            noCard={t('desk.cardNotKnown')}
            onChange={(next) => setDetails({ ...details, ...next })}
            errorOf={errorOf}
          />
          <TextField
            label={t('desk.newPatientPhone')}
            type="tel"
            optional
            maxLength={100}
            value={details.phone}
            error={errorOf('phone') ?? null}
            onChange={(phone) => setDetails({ ...details, phone })}
          />
        </>
      )}
    </ActionDialog>
  );
}
