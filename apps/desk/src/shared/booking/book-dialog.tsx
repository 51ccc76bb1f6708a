import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import { formatTime, toClinic, deskPages } from '@clinic/domain';
import { formatDay, formatMoment, formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { useComeIn } from '@clinic/ui/come-in';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api.ts';
import { useMay } from '../may.ts';
import { Alerts } from './alerts.tsx';
import { NewPatient } from './new-patient.tsx';
import { DeskDialog } from '../under-way.tsx';
import { UndoLine } from '../undo-line.tsx';
import { offerUndo } from '../undo.ts';
import { locale, t } from '../words.ts';
import { type Placed, optionsQuery } from './booking-data.ts';
import styles from './booking.module.css';
import { Finder } from './finder.tsx';
import { ReadOut } from './read-out.tsx';
import { TimeChooser } from './time-chooser.tsx';

export { UndoLine };

interface BookDialogProps {
  /** The patient, if known already: the id of an account, or the number of a record without one. */
  forPerson?: string;
  onClose: () => void;
}

/** Books for a patient on the phone or at the counter: first the patient, then the type and the time. */
export function BookDialog({ forPerson, onClose }: BookDialogProps) {
  const may = useMay();
  const [person, setPerson] = useState(forPerson);
  const [isNew, setNew] = useState(false);
  const again = () => {
    setPerson(undefined);
    setNew(false);
  };
  if (person !== undefined)
    return <Booking person={person} onClose={onClose} onAgain={again} key={person} />;
  if (isNew)
    return <NewPatient does={t('desk.newPatientBook')} onClose={onClose} onPerson={setPerson} />;
  return (
    <DeskDialog title={t('desk.findPatient')} size="large" onClose={onClose} key="find">
      <Finder
        onPick={({ patientId, recordId }) => setPerson(patientId ?? recordId)}
        onPerson={may('addPatient') ? setPerson : undefined}
        onNew={may('addPatient') ? () => setNew(true) : undefined}
      />
    </DeskDialog>
  );
}

interface BookingProps {
  person: string;
  onClose: () => void;
  onAgain: () => void;
}

function Booking({ person, ...leaving }: BookingProps) {
  const queries = useQueryClient();
  const comeIn = useComeIn(person);
  const options = useQuery(optionsQuery(person));
  const [chosen, setChosen] = useState<string>();
  const [placed, setPlaced] = useState<Placed>();
  const [wantsLink, setWantsLink] = useState(false);
  const [isUndone, setUndone] = useState(false);
  const { data } = options;
  // What the dialog offers to undo, the page offers once it is closed.
  const after = (leave: () => void) => () => {
    if (placed && !isUndone) {
      const { undo, start, isTold } = placed;
      offerUndo(undo, { whom: data?.name ?? '', start, isTold });
    }
    leave();
  };
  const onClose = after(leaving.onClose);
  const type = chosen ?? data?.types[0]?.code;
  const hasFee = data?.types.some(({ code, feeCents }) => code === type && feeCents > 0) === true;
  const asksFeeBy = hasFee && data?.mayLink;
  const feeBy = asksFeeBy && wantsLink ? 'link' : 'clinic';
  const title = data ? t('desk.bookFor', { name: data.name }) : t('desk.findPatient');
  return (
    <DeskDialog title={title} size="large" onClose={onClose}>
      <LoadState of={options} />
      {data && <p className={styles.soft}>{t('desk.bornOn', { date: data.birthDate })}</p>}
      {data && !data.hasAccount && !placed && <p className={styles.soft}>{t('desk.bookUntold')}</p>}
      {data?.block && data.block !== 'none' && !placed && (
        <Notice kind="caution">{t('desk.bookBlocked')}</Notice>
      )}
      {!placed && <Alerts alerts={data?.alerts} />}
      {data && data.upcoming.length > 0 && !placed && (
        <div>
          <h3>{t('desk.hasBooked')}</h3>
          <ul className={styles.upcoming}>
            {data.upcoming.map(({ id, start, description, provider }) => (
              <li key={id}>
                {formatMoment(locale, start)}, {description}, {provider}
              </li>
            ))}
          </ul>
        </div>
      )}
      {data && type !== undefined && !placed && (
        <TimeChooser
          person={person}
          type={type}
          providers={data.providers}
          comeIn={comeIn}
          purpose="book"
          keptAs={`book ${person}`}
          how={feeBy}
          onPlace={async (place, key) =>
            (
              await ask('deskBook', {
                params: { id: person },
                headers: { 'idempotency-key': key },
                body: { type, ...(feeBy === 'link' && { feeBy }), ...place },
              })
            ).extras
          }
          onPlaced={(made) => {
            setPlaced(made);
            void queries.invalidateQueries({ queryKey: ['day'] });
          }}
        >
          <SelectField
            label={t('desk.whichType')}
            options={data.types.map(({ code, description, feeCents }) => ({
              value: code,
              label:
                feeCents === 0
                  ? description
                  : t('desk.withFee', { type: description, fee: formatMoney(locale, feeCents) }),
            }))}
            value={type}
            onChange={setChosen}
          />
          {asksFeeBy && (
            <SelectField
              label={t('desk.feeBy')}
              hint={t('desk.feeByHint')}
              options={[
                { value: 'clinic', label: t('desk.feeBy.clinic') },
                { value: 'link', label: t('desk.feeBy.link') },
              ]}
              value={feeBy}
              onChange={(next) => setWantsLink(next === 'link')}
            />
          )}
        </TimeChooser>
      )}
      {data && placed && (
        <Done
          placed={placed}
          name={data.name}
          providers={data.providers}
          isUndone={isUndone}
          onUndone={() => setUndone(true)}
          onClose={onClose}
          onAgain={after(leaving.onAgain)}
        />
      )}
    </DeskDialog>
  );
}

interface DoneProps extends Omit<BookingProps, 'person'> {
  placed: Placed;
  name: string;
  isUndone: boolean;
  onUndone: () => void;
  providers: readonly { readonly id: string; readonly name: string }[];
}

function Done({ placed, name, providers, isUndone, onUndone, onClose, onAgain }: DoneProps) {
  const [, goTo] = useLocation();
  const { id, providerId, start, feeCents, isTold, linkUntil, undo } = placed;
  const { date } = toClinic(start);
  const said = {
    when: `${formatDay(locale, date)} ${formatTime(start)}`,
    provider: providers.find((each) => each.id === providerId)?.name ?? providerId,
    fee: formatMoney(locale, feeCents),
  };
  const booked =
    `${feeCents === 0 ? 'desk.booked' : 'desk.bookedDue'}${isTold ? '' : 'Untold'}` as const;
  return (
    <div className={styles.stack}>
      <ActionOutcome press={start} kind="good">
        {!isUndone &&
          (linkUntil === null
            ? t(booked, said)
            : t('desk.linkSent', { ...said, until: formatMoment(locale, linkUntil) }))}
      </ActionOutcome>
      {undo && <UndoLine of={{ ...undo, whom: name, start, isTold }} onUndone={onUndone} />}
      {linkUntil === null && !isUndone && <ReadOut id={id} />}
      <div className={styles.buttons}>
        {!isUndone && (
          <Button
            onClick={() => {
              goTo(pathTo(deskPages.day, { date }, { appointment: id }));
              onClose();
            }}
          >
            {t('desk.showOnSheet')}
          </Button>
        )}
        <Button variant="secondary" onClick={onAgain}>
          {t('desk.bookAnother')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('desk.close')}
        </Button>
      </div>
    </div>
  );
}
