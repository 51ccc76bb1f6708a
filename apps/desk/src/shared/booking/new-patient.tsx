import { UserFacingError, codeOf, isUnknown } from '@clinic/app/api-error';
import type { CallAnswer } from '@clinic/contract';
import { isWholeDay } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { TextField } from '@clinic/ui/text-field';
import { useRef, useState } from 'react';
import { ActionDialog } from '../action-dialog.tsx';
import { ask } from '../api.ts';
import { FoundList } from './found-list.tsx';
import { DeskDialog } from '../under-way.tsx';
import { t } from '../words.ts';
import styles from './booking.module.css';
import { DetailFields, type Details, bodyOf } from './detail-fields.tsx';

interface NewPatientProps {
  /** What was typed to find them: its words are the name. */
  typed?: string;
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

const newBodyOf = (details: NewDetails) => ({
  ...bodyOf(details),
  ...(details.phone !== '' && { phone: details.phone }),
});
/** The name that was typed in a search, 'kaya lind' or 'Lind, Kaya', and the birth date beside it. */
function detailsOf(typed: string): NewDetails {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '' && !/\d/.test(word));
  const written = (some: readonly string[]) => {
    const name = some.join(' ');
    const isCareless = name === name.toLowerCase();
    return isCareless ? name.replaceAll(/(^|[\s-])\p{L}/gu, (begin) => begin.toUpperCase()) : name;
  };
  const [beforeComma = ''] = typed.split(',');
  const isLastFirst = typed.includes(',') && words.length > 1;
  const first = isLastFirst ? beforeComma.trim().split(/\s+/).length : -1;
  const [lastName, firstName] = isLastFirst
    ? [words.slice(0, first), words.slice(first)]
    : [words.slice(-1), words.slice(0, -1)];
  return {
    firstName: written(firstName),
    lastName: written(lastName),
    birthDate: typed.split(/[\s,]+/).find(isWholeDay) ?? '',
    province: '',
    number: '',
    phone: '',
  };
}
/** What the first press returns when it opened no record. */
const NONE = '';

/** Opens a record for a patient whom the clinic does not know yet, once nobody likely is who they are. */
export function NewPatient({
  typed = '',
  does = t('desk.newPatientDo'),
  onClose,
  onPerson,
}: NewPatientProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [details, setDetails] = useState(() => detailsOf(typed));
  // What the search has brought is typed again in no time.
  const [brought] = useState(details);
  const [asksToLeave, setAsksToLeave] = useState(false);
  const leave = () => {
    if (details === brought) onClose();
    else setAsksToLeave(true);
  };
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
        onClose={leave}
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
            {asksToLeave && <AskToLeave onStay={() => setAsksToLeave(false)} onLeave={onClose} />}
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
      onClose={leave}
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
            begins
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
          {asksToLeave && <AskToLeave onStay={() => setAsksToLeave(false)} onLeave={onClose} />}
        </>
      )}
    </ActionDialog>
  );
}

/** A press of Escape too many does not drop what was typed. */
function AskToLeave({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <DeskDialog
      title={t('desk.dropTyped')}
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>{t('desk.dropTypedStay')}</Button>
          <Button variant="danger" onClick={onLeave}>
            {t('desk.dropTypedDo')}
          </Button>
        </>
      }
    >
      <p>{t('desk.dropTypedAbout')}</p>
    </DeskDialog>
  );
}
