import { formatDay, formatMoment } from '@clinic/texts';
import {
  clearDoctor,
  dateBounds,
  doctorName,
  ELIGIBILITY_RULES,
  isNursePractitioner,
  selectDoctor,
  selectEarliest,
  selectType,
  toClinic,
  whyNextRefused,
  whyOverLimit,
  type AppointmentType,
  type Choice,
  type ClinicDate,
} from '@clinic/domain';
import { text } from '@clinic/contract/told-by-pages';
import { Button } from '@clinic/ui/button';
import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { classNames } from '@clinic/ui/class-names';
import { focusByPress, askedNow, focusIfAsked, outcomeComes } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { locale, t } from '../../../messages/t.ts';
import { clinicNow } from '@clinic/app/clock';
import { TypeName, typeName } from '../../../shared/clinic-words.tsx';
import { SiteLink } from '../../../shared/shell/button-link.tsx';
import {
  doctorOf,
  movedOf,
  knownChecks,
  settleChecks,
  standingOf,
  type BookingData,
  type StepProps,
  patientFacts,
} from '../booking-data.ts';
import { limited } from '../hold/hold-time.ts';
import { InTheWay } from '../hold/problem-words.tsx';
import type { RescheduleOf, Search } from '../journey.ts';
import { BookAgain } from './book-again.tsx';
import step from '../step.module.css';
import styles from './choose-type.module.css';
import { DayChoice } from './day-choice.tsx';
import { DoctorChoice, doctorRows, refusalWords, type DoctorRow } from './doctor-choice.tsx';
import { TypeChoice } from './type-choice.tsx';

const TYPE_FIELD = 'booking-type';
const DOCTOR_FIELD = 'booking-doctor';

/** Step 1: type, day and doctor. */
export function ChooseType({ data, draft: { search }, journey, send }: StepProps<'schedule'>) {
  const queryClient = useQueryClient();
  const [checking, setChecking] = useState(false);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const bounds = dateBounds(clinicNow());
  const day = search.date !== null && search.date >= bounds.min ? search.date : bounds.min;
  const choice = choiceOf(data, search);
  const rows = doctorRows(data.doctors, data.statuses, choice.type, data.patient);
  const moving = journey.rescheduleOf;
  const medicationSite = data.config?.medicationSiteUrl ?? null;

  const { typeSettled = false } = search;
  const first = useRef<HTMLDivElement>(null);
  const rest = useRef<HTMLDivElement>(null);
  const asked = useRef(typeSettled);
  /** Counts choices: the result of a check counts only if nothing was chosen since it began. */
  const choices = useRef(0);
  // Leaving the page drops the result of a check under way.
  const untilLeft = useCallback((box: HTMLDivElement) => {
    first.current = box;
    return () => {
      choices.current += 1;
    };
  }, []);

  // The browser's Back and Forward change the phone's question as a press does: move the focus too.
  const follow = useCallback(
    (box: HTMLDivElement | null) => {
      rest.current = box;
      if (box === null || asked.current === typeSettled) return;
      asked.current = typeSettled;
      choices.current += 1;
      if (document.activeElement?.closest('[role="alert"]')) return;
      if (typeSettled) focusIn(box, 'start');
      else focusByPress(first.current?.querySelector<HTMLElement>(':checked'));
    },
    [typeSettled],
  );

  const tell = (chosen: Search) => {
    choices.current += 1;
    send({ type: 'choose', search: chosen });
  };
  const choose = ({ type, doctor }: Choice, settled = typeSettled) => {
    setErrors([]);
    tell({
      type: type?.code ?? null,
      doctor: doctor === null || doctor === 'earliest' ? doctor : { id: doctor.id },
      date: search.date,
      typeSettled: settled,
    });
  };
  const goOn = (type: AppointmentType) => {
    const settles = asksOneByOne();
    flushSync(() => choose(selectType(choice, type, data.patient), settles));
    if (!settles) focusIn(rest.current, 'nearest');
  };

  const next = async (wanted: Search, firstDay: ClinicDate) => {
    const { type, doctor } = choiceOf(data, wanted);
    const refused = whyNextRefused({ type, doctor }, data.user);
    if (refused !== null || type === null) {
      // A phone goes back to the question of the type, which is missing.
      if (type === null && typeSettled) tell({ ...wanted, typeSettled: false });
      setErrors([nextError(refused ?? 'typeMissing')]);
      return;
    }
    const before = choices.current;
    const isAwaited = askedNow();
    setChecking(true);
    await settleChecks(queryClient, data.user, type);
    setChecking(false);
    // The patient changed the choice during the check: drop its result.
    if (choices.current !== before) return;
    outcomeComes({ isAwaited: isAwaited() });
    const patient = patientFacts(data.user, knownChecks(queryClient, data.user));
    const problem = problemOf(doctorRows(data.doctors, data.statuses, type, patient), {
      type,
      doctor,
    });
    if (problem === null) {
      send({ type: 'search', firstDay });
      return;
    }
    // A phone shows the doctors only in its second question: go there.
    if (asksOneByOne() && moving === null) tell({ ...wanted, typeSettled: true });
    setErrors([{ fieldId: DOCTOR_FIELD, message: problem }]);
  };

  const onNext = () => {
    const { type } = choice;
    const isRestToAsk = asksOneByOne() && moving === null && !typeSettled;
    if (isRestToAsk && type !== null && !data.user.isBlocked) goOn(type);
    else void next(search, day);
  };

  const isRefill = choice.type?.code === 'F';
  const asks = moving !== null ? 'all' : typeSettled ? 'rest' : 'type';

  return (
    <>
      {movedWords(data, moving)}
      <KnownLimits data={data} moving={moving} />
      <ErrorSummary errors={errors} />
      <div ref={untilLeft} className={styles.first} data-asks={asks}>
        <BookAgain
          data={data}
          journey={journey}
          send={send}
          checking={checking}
          onSearch={(again) => {
            setErrors([]);
            tell(again);
            void next(again, bounds.min);
          }}
        />
        <TypeChoice
          id={TYPE_FIELD}
          data={data}
          choice={choice}
          locked={moving?.type ?? null}
          error={errorFor(errors, TYPE_FIELD)}
          onChoose={(type) => choose(selectType(choice, type, data.patient))}
          onPress={goOn}
        />
      </div>
      {typeof choice.doctor === 'object' && choice.doctor && isNursePractitioner(choice.doctor) && (
        <Notice className={styles.practitioner ?? ''}>
          <p>{t('booking.practitionerOnly')}</p>
          {!moving && (
            <Button variant="quiet" onClick={() => choose(clearDoctor(choice))}>
              {t('booking.anyDoctor')}
            </Button>
          )}
        </Notice>
      )}
      <div ref={follow} className={styles.rest} data-asks={asks}>
        {typeSettled && (
          <div className={styles.settled}>
            <p className={styles.type}>
              {choice.type ? <TypeName of={choice.type} /> : t('booking.notChosen')}
            </p>
            <Button variant="quiet" onClick={() => choose(choice, false)}>
              {t('booking.changeType')}
            </Button>
          </div>
        )}
        {isRefill ? (
          <p tabIndex={-1}>{t('booking.medicationHint')}</p>
        ) : (
          <div className={styles.dayAndDoctor}>
            <DayChoice
              data={data}
              choice={choice}
              bounds={bounds}
              value={day}
              onChoose={(date) => tell({ ...search, date })}
            />
            <DoctorChoice
              id={DOCTOR_FIELD}
              rows={rows}
              chosen={choice.doctor}
              locked={data.types.find(({ code }) => code === moving?.type) ?? null}
              error={errorFor(errors, DOCTOR_FIELD) ?? problemOf(rows, choice)}
              onEarliest={() => choose(selectEarliest(choice))}
              onDoctor={(doctor) => choose(selectDoctor(choice, doctor))}
            />
          </div>
        )}
      </div>
      <div className={classNames(styles.actions, step.inReach)}>
        {isRefill && medicationSite ? (
          <SiteLink href={medicationSite} icon={<ArrowRight size={20} aria-hidden="true" />}>
            {t('booking.next')}
          </SiteLink>
        ) : (
          <Button busy={checking} busyLabel={t('booking.checking')} onClick={onNext}>
            {t('booking.next')}
          </Button>
        )}
      </div>
    </>
  );
}

/** Moves the focus to the heading of the next question. */
function focusIn(part: HTMLElement | null, block: 'start' | 'nearest'): void {
  const heading = part?.querySelector<HTMLElement>('[tabindex="-1"]') ?? null;
  focusIfAsked(heading);
  if (document.activeElement === heading) part?.scrollIntoView?.({ block });
}

/** True on a phone, which asks for the type first and then doctor and day; the styles hide one. */
function asksOneByOne(): boolean {
  return window.matchMedia?.('(max-width: 639px)').matches ?? false;
}

/** The sentence that names the appointment being moved. */
function movedWords(data: BookingData, moving: RescheduleOf | null) {
  const moved = movedOf(data, moving);
  if (moved === null) return null;
  const doctor = doctorName(doctorOf(data, moved.doctor));
  const when = formatMoment(locale(), moved.startTime);
  return <p>{t('booking.movingWhat', { description: typeName(moved), doctor, when })}</p>;
}

interface KnownLimitsProps {
  data: BookingData;
  moving: RescheduleOf | null;
}

/** Tells beforehand what any choice would be refused for; a move is not subject to the limits. */
function KnownLimits({ data, moving }: KnownLimitsProps) {
  const { user } = data;
  const now = clinicNow();
  const standing = standingOf(data, now);
  const { oncePerDay } = ELIGIBILITY_RULES[user.eligibility];
  const limit = whyOverLimit(now, standing, false, now);
  if (user.isBlocked) return <Limit words={text(locale(), 'bookingBlocked')} />;
  if (moving !== null) return null;
  if (limit !== null) {
    const counted = limited(data.appointments ?? [], limit, now);
    return (
      <Limit words={text(locale(), limit)}>
        <InTheWay appointments={counted} />
      </Limit>
    );
  }
  if (!oncePerDay || standing.length === 0) return null;
  return (
    <Limit words={text(locale(), 'oneEachDay')}>
      {standing.map(({ start }) => (
        <p key={start}>
          {t('booking.dayTaken', { day: formatDay(locale(), toClinic(start).date) })}
        </p>
      ))}
    </Limit>
  );
}

function Limit({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <Notice kind="caution">
      <p>{words}</p>
      {children}
    </Notice>
  );
}

function choiceOf(data: BookingData, search: Search): Choice {
  const wish = search.doctor;
  return {
    type: data.types.find(({ code }) => code === search.type) ?? null,
    doctor:
      wish === null || wish === 'earliest'
        ? wish
        : (data.doctors.find(({ id }) => id === wish.id) ?? null),
  };
}

/** Why the chosen doctor cannot be seen after all, once the checks have answered; null when they can. */
function problemOf(rows: readonly DoctorRow[], { doctor }: Choice): string | null {
  if (doctor === null || doctor === 'earliest') return null;
  const refusal = rows.find(({ id }) => id === doctor.id)?.refusal ?? null;
  return refusal && refusalWords(refusal);
}

function nextError(refused: 'typeMissing' | 'blocked' | 'doctorMissing'): FormError {
  switch (refused) {
    case 'typeMissing':
      return { fieldId: TYPE_FIELD, message: t('booking.typeMissing') };
    case 'doctorMissing':
      return { fieldId: DOCTOR_FIELD, message: t('booking.doctorMissing') };
    case 'blocked':
      return { message: text(locale(), 'bookingBlocked') };
  }
}

function errorFor(errors: readonly FormError[], fieldId: string): string | null {
  return errors.find((error) => error.fieldId === fieldId)?.message ?? null;
}
