import { LoadState } from '@clinic/app/outcome';
import type { ApiBookingOptions, ApiFoundPatient } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { toClinic, deskPages } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { focusIfAsked } from '@clinic/ui/focus';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api.ts';
import { useMay } from '../may.ts';
import { Alerts } from './alerts.tsx';
import { NewPatient } from './new-patient.tsx';
import { useSaid } from '../desk-action.tsx';
import { DeskDialog } from '../under-way.tsx';
import { UndoLine } from '../undo-line.tsx';
import { offerUndo } from '../undo.ts';
import { locale, t } from '../words.ts';
import { type Place, type Placed, optionsQuery } from './booking-data.ts';
import styles from './booking.module.css';
import { Finder, type FinderProps } from './finder.tsx';
import { ReadOut } from './read-out.tsx';
import { shownTime } from './shown-time.ts';
import { TakeFeeDialog } from './take-fee.tsx';
import type { Beginning } from './time-chooser-props.ts';
import { TimeChooser } from './time-chooser.tsx';
import { leadsTo } from './times-list.tsx';

export { UndoLine };

export interface BookDialogProps {
  /** The patient, if known already: the id of an account, or the number of a record without one. */
  forPerson?: string;
  /** A free place of the day sheet, which is asked about once it is known for whom. */
  at?: Place | undefined;
  /** What is chosen for that patient at first. */
  begins?: Kept;
  /** Called once it is booked for that patient. */
  onPlaced?: (appointmentId: string) => void;
  onClose: () => void;
}

/** What is chosen at first: also for the next member of the family. */
interface Kept extends Beginning {
  readonly type: string;
}

/** Books for a patient on the phone or at the counter: first the patient, then the type and the time. */
export function BookDialog({ forPerson, at, begins, onPlaced, onClose }: BookDialogProps) {
  const may = useMay();
  const [booking, setBooking] = useState<Begun | undefined>(
    forPerson === undefined ? undefined : { person: forPerson, kept: begins, at },
  );
  /** What was typed to find somebody new. */
  const [added, setAdded] = useState<{ typed: string; kept?: Kept | undefined }>();
  const [isAgain, setAgain] = useState(false);
  const begin = (person: string, kept?: Kept) => {
    setAdded(undefined);
    // One place is for one patient.
    setBooking({ person, kept, at: isAgain || kept ? undefined : at });
  };
  const again = () => {
    setAgain(true);
    setBooking(undefined);
  };
  if (added)
    return (
      <NewPatient
        typed={added.typed}
        does={t('desk.newPatientBook')}
        onClose={onClose}
        onPerson={(person) => begin(person, added.kept)}
      />
    );
  const ways = (kept?: Kept): FinderProps => ({
    onPick: ({ patientId, recordId }: ApiFoundPatient) => begin(patientId ?? recordId, kept),
    onPerson: may('addPatient') ? (person: string) => begin(person, kept) : undefined,
    onNew: may('addPatient') ? (typed: string) => setAdded({ typed, kept }) : undefined,
  });
  if (booking)
    return (
      <Booking
        {...booking}
        onPlaced={booking.person === forPerson ? onPlaced : undefined}
        onClose={onClose}
        onAgain={again}
        family={ways}
        // One may be booked twice, as for the next of the family.
        key={`${booking.person} ${booking.kept?.notBefore}`}
      />
    );
  return (
    <DeskDialog title={t('desk.findPatient')} size="large" onClose={onClose} key="find">
      {at && !isAgain && <p>{t('desk.bookAt', { when: shownTime(at.start) })}</p>}
      <Finder {...ways()} />
    </DeskDialog>
  );
}

/** For whom a booking is begun, and with what. */
interface Begun {
  person: string;
  kept?: Kept | undefined;
  at: Place | undefined;
}

interface BookingProps extends Begun {
  onPlaced: ((appointmentId: string) => void) | undefined;
  onClose: () => void;
  onAgain: () => void;
  /** The search for another of the family, who gets the same type, provider and day. */
  family: (kept: Kept) => FinderProps;
}

function Booking({ person, kept, at, onPlaced, family, ...leaving }: BookingProps) {
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const may = useMay();
  const options = useQuery(optionsQuery(person));
  const [chosen, setChosen] = useState<string>();
  const [placed, setPlaced] = useState<Placed>();
  const [wantsLink, setWantsLink] = useState(false);
  const [isUndone, setUndone] = useState(false);
  /** The fee that is being noted as taken. */
  const [feeTaken, setFeeTaken] = useState<{ id: string; cents: number }>();
  const [said, say] = useSaid();
  const { data } = options;
  // What the dialog offers to undo, the page offers once it is closed.
  const after = (leave: () => void) => () => {
    if (placed && !isUndone) {
      const { undo, start, isTold } = placed;
      offerUndo(undo, { kind: 'book', whom: data?.name ?? '', start, isTold });
    }
    leave();
  };
  const onClose = after(leaving.onClose);
  /** The next of the family leaves it, too. */
  const next = (of: Kept): FinderProps => {
    const { onPick, onPerson, onNew } = family(of);
    return {
      onPick: (patient) => after(() => onPick(patient))(),
      onPerson: onPerson && ((id) => after(() => onPerson(id))()),
      onNew: onNew && ((typed) => after(() => onNew(typed))()),
    };
  };
  const wanted = chosen ?? kept?.type;
  const offered = data?.types.find(({ code }) => code === wanted) ?? data?.types[0];
  const type = offered?.code;
  const feeCents = offered?.feeCents ?? 0;
  const asksFeeBy = feeCents > 0 && data?.mayLink === true;
  const feeBy = asksFeeBy && wantsLink ? 'link' : 'clinic';
  const title = data ? t('desk.bookFor', { name: data.name }) : t('desk.findPatient');
  const fee = feeCents === 0 ? t('desk.feeIsNone') : formatMoney(locale(), feeCents);
  if (feeTaken)
    return (
      <TakeFeeDialog
        {...feeTaken}
        name={data?.name ?? ''}
        shows={[optionsQuery(person).queryKey]}
        onClose={() => setFeeTaken(undefined)}
        onNoted={() => {
          say(t('desk.feeTakenNoted', { fee: formatMoney(locale(), feeTaken.cents) }));
          setFeeTaken(undefined);
        }}
      />
    );
  return (
    <DeskDialog title={title} size="large" canBeLeft={placed !== undefined} onClose={onClose}>
      {said}
      <LoadState of={options} />
      {data && !data.hasAccount && !placed && <p className={styles.soft}>{t('desk.bookUntold')}</p>}
      {data?.block && data.block !== 'none' && !placed && (
        <Notice kind="caution">{t('desk.bookBlocked')}</Notice>
      )}
      {!placed && <Alerts alerts={data?.alerts} />}
      {data && data.upcoming.length > 0 && !placed && (
        <div>
          <h3>{t('desk.hasBooked')}</h3>
          <ul className={styles.upcoming}>
            {data.upcoming.map(({ id, start, description, provider, feeDue = null }) => (
              <li key={id}>
                {formatMoment(locale(), start)}, {description}, {provider}
                {feeDue !== null && may('takeFee') && (
                  <Button
                    {...leadsTo('f')}
                    variant="quiet"
                    actsOn={`${id} ${feeDue}`}
                    aria-label={t('desk.takeFeeOf', {
                      fee: formatMoney(locale(), feeDue),
                      when: formatMoment(locale(), start),
                    })}
                    onClick={() => setFeeTaken({ id, cents: feeDue })}
                  >
                    {t('desk.takeFeeAmount', { fee: formatMoney(locale(), feeDue) })}
                  </Button>
                )}
                {may('cancelAppointment') && (
                  <Button
                    {...leadsTo('c')}
                    variant="quiet"
                    actsOn={id}
                    aria-label={t('desk.cancelOn', { when: formatMoment(locale(), start) })}
                    onClick={() => {
                      const { date } = toClinic(start);
                      goTo(pathTo(deskPages.day, { date }, { appointment: id }), {
                        state: { cancels: id, at: Date.now() },
                      });
                      onClose();
                    }}
                  >
                    {t('desk.cancelIt')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {!placed && (
        <TimeChooser
          person={person}
          type={type}
          providers={data?.providers ?? []}
          purpose="book"
          keptAs={`book ${person}`}
          how={feeBy}
          chosen={at}
          begins={kept}
          facts={[
            [
              t('desk.patient'),
              data ? `${data.name}, ${t('desk.bornOn', { date: data.birthDate })}` : '',
            ],
            [t('desk.whichType'), offered?.description ?? ''],
            [t('desk.fee'), fee],
            [t('desk.told'), t(data?.hasAccount ? 'desk.toldByEmail' : 'desk.toldByYou')],
          ]}
          walkIn={t(feeCents === 0 ? 'desk.walkInAbout' : 'desk.walkInAboutDue', {
            type: offered?.description ?? '',
            fee,
          })}
          does={t(feeBy === 'link' ? 'desk.bookLink' : 'desk.bookThis')}
          choices={
            asksFeeBy && (
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
            )
          }
          onPlace={async (place, key) =>
            (
              await ask('deskBook', {
                params: { id: person },
                headers: { 'idempotency-key': key },
                body: { type: type ?? '', ...(feeBy === 'link' && { feeBy }), ...place },
              })
            ).extras
          }
          onPlaced={(made) => {
            setPlaced(made);
            onPlaced?.(made.id);
            void queries.invalidateQueries({ queryKey: ['day'] });
          }}
        >
          <SelectField
            {...leadsTo('t')}
            label={t('desk.whichType')}
            options={(data?.types ?? []).map((each) => ({
              value: each.code,
              label:
                each.feeCents === 0
                  ? each.description
                  : t('desk.withFee', {
                      type: each.description,
                      fee: formatMoney(locale(), each.feeCents),
                    }),
            }))}
            value={type ?? ''}
            onChange={setChosen}
          />
        </TimeChooser>
      )}
      {data && offered && placed && (
        <Done
          placed={placed}
          name={data.name}
          type={offered}
          providers={data.providers}
          isUndone={isUndone}
          onUndone={() => setUndone(true)}
          onClose={onClose}
          onAgain={after(leaving.onAgain)}
          family={next}
        />
      )}
    </DeskDialog>
  );
}

interface DoneProps extends Pick<BookingProps, 'onClose' | 'onAgain' | 'family'> {
  placed: Placed;
  name: string;
  type: ApiBookingOptions['types'][number];
  providers: ApiBookingOptions['providers'];
  isUndone: boolean;
  onUndone: () => void;
}

function Done(props: DoneProps) {
  const mayFind = useMay()('findPatient');
  const { placed, name, type, providers, isUndone, onUndone, onClose, onAgain, family } = props;
  const [, goTo] = useLocation();
  const { id, providerId, start, end, feeCents, isTold, linkUntil, undo } = placed;
  const { date } = toClinic(start);
  const said = {
    type: type.description,
    when: shownTime(start),
    provider: providers.find((each) => each.id === providerId)?.name ?? providerId,
    fee: formatMoney(locale(), feeCents),
  };
  const booked =
    `${feeCents === 0 ? 'desk.booked' : 'desk.bookedDue'}${isTold ? '' : 'Untold'}` as const;
  return (
    <div className={styles.stack}>
      <ActionOutcome press={start} kind="good">
        {!isUndone &&
          (linkUntil === null
            ? t(booked, said)
            : t('desk.linkSent', { ...said, until: formatMoment(locale(), linkUntil) }))}
      </ActionOutcome>
      {undo && (
        <UndoLine of={{ ...undo, kind: 'book', whom: name, start, isTold }} onUndone={onUndone} />
      )}
      {!isUndone && mayFind && (
        <Finder
          {...family({ type: type.code, providerId, from: date, notBefore: end })}
          label={t('desk.findFamily')}
          comeIn={focusIfAsked}
        />
      )}
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
        {mayFind && (
          <Button variant="secondary" onClick={onAgain}>
            {t('desk.bookAnother')}
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {t('desk.close')}
        </Button>
      </div>
    </div>
  );
}
