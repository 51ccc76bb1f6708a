import { codeOf, isUnknown, messageOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { type ClinicDate, formatTime, mayOverride, toClinic } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Outcome, useAction } from '../desk-action.tsx';
import { t } from '../words.ts';
import { type Place, type Placed, optionsQuery, timesQuery } from './booking-data.ts';
import styles from './booking.module.css';
import { OtherTime } from './other-time.tsx';
import { Override } from './override.tsx';
import { minutesOf, shownTime } from './shown-time.ts';
import { Summary } from './summary.tsx';
import type { TimeChooserProps } from './time-chooser-props.ts';
import { TimesList, leadsTo } from './times-list.tsx';
import { TypedDayField } from './typed-day-field.tsx';
import { WalkIns } from './walk-ins.tsx';

interface Attempt {
  readonly place: Place;
  readonly type: string | undefined;
  readonly how: string;
  /** Sends the same request, whatever is chosen by then. */
  readonly send: (key: string) => Promise<Placed>;
}

/** A provider's free times, or the first free of all; one that is chosen is summed up, and booked from there. */
export function TimeChooser(props: TimeChooserProps) {
  const {
    person,
    type,
    providers,
    purpose,
    keptAs,
    how = '',
    onPlace,
    onPlaced,
    begins,
    facts,
    walkIn = '',
    does,
    choices,
    children,
  } = props;
  const [chosen, setChosen] = useState(props.chosen);
  const [wanted, setWanted] = useState(begins?.providerId ?? chosen?.providerId ?? '');
  // Whom to choose from may not be known yet.
  const isOffered = providers.length === 0 || providers.some(({ id }) => id === wanted);
  const providerId = isOffered ? wanted : '';
  // Null while what is typed there is no day, or could be two: nothing is chosen by a day that is not meant.
  const [from, setFrom] = useState<ClinicDate | null>(
    () => begins?.from ?? toClinic(chosen?.start ?? clinicNow()).date,
  );
  // The first twelve times of a day may all lie before the place that was meant.
  const [notBefore, setNotBefore] = useState(begins?.notBefore ?? chosen?.start);
  const [inHand, setInHand] = useState<string>();
  const [turns, setTurns] = useState(0);
  const comeInNow = useComeIn(turns);
  // The dialog itself leads in as it opens.
  const comeIn = turns === 0 ? undefined : comeInNow;
  const queries = useQueryClient();
  const times = useQuery({
    ...timesQuery({ person, type: type ?? '', providerId, from: from ?? '', notBefore }),
    enabled: type !== undefined && from !== null,
  });
  const { times: free = [], walkIns = [] } = times.data ?? {};
  // While it is not known whether this was done, it is asked again before anything else is chosen.
  const [lost, setLost] = useState<Attempt>();
  const attempt = useAction({
    work: ({ send }: Attempt, key) => send(key),
    keptAs,
    unknown: t('desk.bookUnknown'),
    onDone: onPlaced,
    onFailed: (error, made) => {
      setLost(isUnknown(error) ? made : undefined);
      if (codeOf(error) === 'slotTaken') setChosen(undefined);
      void times.refetch();
      if (isUnknown(error)) void queries.invalidateQueries(optionsQuery(person));
    },
    gcTime: 0,
  });
  const press = (place: Place) =>
    attempt.run({ place, type, how, send: (key) => onPlace(place, key) });
  /** Within the press that asks for it: what comes has the focus. */
  const turnTo = (place: Place | undefined) => {
    setChosen(place);
    setTurns((before) => before + 1);
    attempt.forget();
  };
  const nameOf = (id: string) => providers.find((each) => each.id === id)?.name ?? id;
  const whatOf = ({ start, providerId: id }: Place) => `${shownTime(start)}, ${nameOf(id)}`;
  const { error } = attempt;
  const asked = attempt.input?.place;
  const mayInsist = asked?.overrideReason === undefined && mayOverride(codeOf(error));
  const failed = !mayInsist && <Outcome of={attempt} />;
  if (lost)
    return (
      <div className={styles.stack}>
        {failed}
        <div>
          <Button
            actsOn={`${person} ${whatOf(lost.place)}`}
            busy={attempt.pending}
            busyLabel={t('desk.askingAgain')}
            onClick={() => attempt.run(lost)}
          >
            {t('desk.askAgain', { what: whatOf(lost.place) })}
          </Button>
        </div>
      </div>
    );
  if (chosen) {
    const what = whatOf(chosen);
    const known = free.find(
      ({ doctor, start }) => doctor === chosen.providerId && start === chosen.start,
    );
    const minutes = chosen.minutes ?? (known && minutesOf(known));
    return (
      <Summary
        title={t(purpose === 'book' ? 'desk.bookIt' : 'desk.moveTo', { what })}
        actsOn={`${person} ${type} ${how} ${what}`}
        facts={[
          ...facts,
          [t('desk.time'), shownTime(chosen.start)],
          [t('desk.whichProvider'), nameOf(chosen.providerId)],
          [
            t('desk.length'),
            minutes === undefined ? t('desk.lengthOfType') : t('desk.minutesLong', { minutes }),
          ],
        ]}
        does={does}
        doing={t(purpose === 'book' ? 'desk.booking' : 'desk.moving')}
        busy={attempt.pending}
        comeIn={comeIn}
        choices={choices}
        // Before the type is known there is nothing to say yes to.
        onPress={() => type !== undefined && press(chosen)}
        onBack={() => turnTo(undefined)}
        outcome={failed}
      >
        {error && mayInsist && (
          <Override
            key={attempt.press}
            why={messageOf(error)}
            what={what}
            press={attempt.press}
            purpose={purpose}
            proposed={begins?.reason}
            onReason={(overrideReason) => press({ ...chosen, overrideReason })}
          />
        )}
      </Summary>
    );
  }
  return (
    <div className={styles.stack} data-acts-on={`${person} ${type} ${how}`} data-choosing="">
      <div className={styles.filters}>
        {children}
        <SelectField
          {...leadsTo('p')}
          label={t('desk.whichProvider')}
          placeholder={t('desk.firstFree')}
          options={providers.map(({ id, name }) => ({ value: id, label: name }))}
          value={providerId}
          onChange={setWanted}
        />
        <TypedDayField
          {...leadsTo('d')}
          label={t('desk.fromDay')}
          value={from}
          onChange={(day) => {
            setFrom(day);
            setNotBefore(undefined);
          }}
        />
      </div>
      {failed}
      {notBefore !== undefined && (
        <div>
          <Button
            variant="quiet"
            actsOn={`${person} ${notBefore}`}
            onClick={() => {
              setNotBefore(undefined);
              turnTo(undefined);
            }}
          >
            {t('desk.freeTimesBefore', { time: formatTime(notBefore) })}
          </Button>
        </div>
      )}
      <TimesList
        times={free}
        nameOf={nameOf}
        actsOn={`${type} ${providerId} ${from} ${notBefore}`}
        inHand={inHand}
        isAsking={times.isFetching}
        comeIn={comeIn}
        onInHand={setInHand}
        onChoose={({ doctor, start }) => turnTo({ providerId: doctor, start })}
      >
        {times.isLoading && <LoadingState />}
        {times.isError && (
          <FailedState onRetry={() => void times.refetch()} busy={times.isFetching}>
            {messageOf(times.error)}
          </FailedState>
        )}
        {times.data && <p role="status">{t('desk.noFreeTimes')}</p>}
      </TimesList>
      {purpose === 'book' && walkIns.length > 0 && (
        <WalkIns walkIns={walkIns} nameOf={nameOf} about={walkIn} onPress={press} />
      )}
      <OtherTime providers={providers} onPress={turnTo} />
    </div>
  );
}
