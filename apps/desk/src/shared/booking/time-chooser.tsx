import { codeOf, isUnknown, messageOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import type { ApiFreeTime } from '@clinic/contract';
import { formatTime, mayOverride, toClinic } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, useId, useState } from 'react';
import { Outcome, useAction } from '../desk-action.tsx';
import { DayField } from '../day-field.tsx';
import { locale, t } from '../words.ts';
import { moveByArrows } from '../arrows.ts';
import { type Place, type Placed, optionsQuery, timesQuery } from './booking-data.ts';
import styles from './booking.module.css';
import { OtherTime } from './other-time.tsx';
import { Override } from './override.tsx';
import type { TimeChooserProps } from './time-chooser-props.ts';

interface Attempt {
  readonly place: Place;
  readonly type: string;
  readonly how: string;
  /** Sends the same request, whatever is chosen by then. */
  readonly send: (key: string) => Promise<Placed>;
}

/** A provider's free times, or the first free of all; pressing one books it or moves the appointment. */
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
    chosen,
    comeIn,
    children,
  } = props;
  const [providerId, setProviderId] = useState(chosen?.providerId ?? '');
  const [from, setFrom] = useState(() => toClinic(chosen?.start ?? clinicNow()).date);
  const queries = useQueryClient();
  const times = useQuery(timesQuery({ person, type, providerId, from }));
  // While it is not known whether this was done, it is asked again before anything else is chosen.
  const [lost, setLost] = useState<Attempt>();
  const attempt = useAction({
    work: ({ send }: Attempt, key) => send(key),
    keptAs,
    unknown: t('desk.bookUnknown'),
    onDone: onPlaced,
    onFailed: (error, made) => {
      setLost(isUnknown(error) ? made : undefined);
      void times.refetch();
      if (isUnknown(error)) void queries.invalidateQueries(optionsQuery(person));
    },
    gcTime: 0,
  });
  const press = (place: Place) =>
    attempt.run({ place, type, how, send: (key) => onPlace(place, key) });
  const nameOf = (id: string) => providers.find((each) => each.id === id)?.name ?? id;
  const whatOf = ({ start, providerId: id }: Place) => `${shownTime(start)}, ${nameOf(id)}`;
  const { error } = attempt;
  const asked = attempt.input?.place;
  const code = codeOf(error);
  const mayInsist = asked?.overrideReason === undefined && mayOverride(code);
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
  return (
    <div className={styles.stack} data-acts-on={`${person} ${type} ${how}`}>
      <div className={styles.filters}>
        {children}
        <SelectField
          label={t('desk.whichProvider')}
          placeholder={t('desk.firstFree')}
          options={providers.map(({ id, name }) => ({ value: id, label: name }))}
          value={providerId}
          onChange={setProviderId}
        />
        <DayField label={t('desk.fromDay')} value={from} onChange={setFrom} />
      </div>
      {chosen && (
        <Chosen
          what={whatOf(chosen)}
          busy={attempt.pending}
          comeIn={comeIn}
          onPress={() => press(chosen)}
        />
      )}
      {failed}
      {error && mayInsist && asked && (
        <Override
          key={attempt.press}
          why={messageOf(error)}
          what={whatOf(asked)}
          press={attempt.press}
          purpose={purpose}
          onReason={(overrideReason) => press({ ...asked, overrideReason })}
        />
      )}
      {times.isPending && <LoadingState />}
      {times.isError && (
        <FailedState onRetry={() => void times.refetch()} busy={times.isFetching}>
          {messageOf(times.error)}
        </FailedState>
      )}
      {times.data && (
        <Times
          times={times.data.times}
          nameOf={nameOf}
          purpose={purpose}
          underWay={attempt.pending ? asked : undefined}
          comeIn={chosen === undefined ? comeIn : undefined}
          onPress={press}
        />
      )}
      {purpose === 'book' && times.data && times.data.walkIns.length > 0 && (
        <WalkIns walkIns={times.data.walkIns} nameOf={nameOf} onPress={press} />
      )}
      <OtherTime providers={providers} purpose={purpose} busy={attempt.pending} onPress={press} />
    </div>
  );
}

const shownTime = (at: number): string =>
  `${formatDay(locale, toClinic(at).date)} ${formatTime(at)}`;

interface ChosenProps {
  what: string;
  busy: boolean;
  comeIn: Ref<HTMLButtonElement>;
  onPress: () => void;
}

function Chosen({ what, busy, comeIn, onPress }: ChosenProps) {
  return (
    <section
      className={styles.override}
      aria-label={t('desk.moveTo', { what })}
      data-acts-on={what}
    >
      <h3>{t('desk.moveTo', { what })}</h3>
      <div>
        <Button ref={comeIn} busy={busy} busyLabel={t('desk.moving')} onClick={onPress}>
          {t('desk.moveHere')}
        </Button>
      </div>
    </section>
  );
}

interface TimesProps {
  times: readonly ApiFreeTime[];
  nameOf: (providerId: string) => string;
  purpose: TimeChooserProps['purpose'];
  underWay: Place | undefined;
  /** For the first time. */
  comeIn: Ref<HTMLButtonElement> | undefined;
  onPress: (place: Place) => void;
}

function Times({ times, nameOf, purpose, underWay, comeIn, onPress }: TimesProps) {
  const titleId = useId();
  const keysId = useId();
  if (times.length === 0) return <p role="status">{t('desk.noFreeTimes')}</p>;
  return (
    <section className={styles.stack} aria-labelledby={titleId}>
      <h3 id={titleId}>{t('desk.freeTimes')}</h3>
      <p id={keysId} className={styles.soft}>
        {t(purpose === 'book' ? 'desk.freeTimesKeys' : 'desk.freeTimesMoveKeys')}
      </p>
      <ul className={styles.times} aria-labelledby={titleId} onKeyDown={moveByArrows}>
        {times.map(({ doctor, start, end }, at) => (
          <li key={`${doctor} ${start}`}>
            <button
              type="button"
              className={styles.choice}
              data-choice=""
              data-acts-on={`${doctor} ${start}`}
              tabIndex={at === 0 ? 0 : -1}
              ref={at === 0 ? comeIn : undefined}
              aria-describedby={keysId}
              aria-busy={underWay?.start === start && underWay.providerId === doctor}
              onClick={() => onPress({ providerId: doctor, start })}
            >
              <b>{shownTime(start)}</b>
              <span>{nameOf(doctor)}</span>
              <span className={styles.soft}>{Math.round((end - start) / 60)} min</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface WalkInsProps extends Pick<TimesProps, 'nameOf' | 'onPress'> {
  walkIns: readonly ApiFreeTime[];
}

function WalkIns({ walkIns, nameOf, onPress }: WalkInsProps) {
  const titleId = useId();
  return (
    <section className={styles.stack} aria-labelledby={titleId}>
      <h3 id={titleId}>{t('desk.walkIns')}</h3>
      <ul className={styles.times} aria-labelledby={titleId} onKeyDown={moveByArrows}>
        {walkIns.map(({ doctor, start }) => (
          <li key={doctor}>
            <button
              type="button"
              className={styles.choice}
              data-choice=""
              data-acts-on={`${doctor} ${start}`}
              onClick={() =>
                // A walk-in patient pays at the clinic.
                onPress({
                  providerId: doctor,
                  start,
                  overrideReason: 'walkIn',
                  feeBy: 'clinic',
                })
              }
            >
              <b>{formatTime(start)}</b>
              <span>{nameOf(doctor)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
