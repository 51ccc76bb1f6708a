import { fieldErrorsOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import type { CallAnswer } from '@clinic/contract';
import { addDays, isWholeDay, startOfDay, toClinic, toInstant } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { useComeIn } from '@clinic/ui/come-in';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { type FormEvent, type Ref, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../../shared/api.ts';
import { whyNoDay } from '../../shared/day-field.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { useDraft } from '../../shared/drafts.ts';
import { LeaveButton, useStays } from '../../shared/under-way.tsx';
import { locale, t } from '../../shared/words.ts';
import { Affected } from './affected.tsx';
import { type ForeseenTime, closingsQuery, spanText, whoText } from '../../shared/schedule-data.ts';
import styles from './schedule.module.css';

interface CloseTimeProps {
  providers: readonly { readonly id: string; readonly name: string }[];
}

interface Foresee {
  readonly time: ForeseenTime;
  readonly onRefused: (errors: readonly FormError[]) => void;
}

/** Chooses a time to close, shows the affected patients, and closes it. */
export function CloseTime({ providers }: CloseTimeProps) {
  const foresee = useAction({
    work: ({ time }: Foresee) => ask('deskForeseeClosing', { body: time }),
    onFailed: (error, { onRefused }) => onRefused(refusedFields(error)),
    gcTime: 0,
    changes: () => false,
  });
  const counts = foresee.result?.extras;
  const time = foresee.input?.time;
  const comeIn = useComeIn(foresee.press);
  const [entered, setEntered] = useDraft('close-time', NOTHING);
  // The same key makes a repetition after a lost answer the same closing, also from another page.
  const [keys, setKeys] = useDraft('close-time keys', NO_KEYS);
  const keyOf = (wanted: ForeseenTime) => {
    const what = `${wanted.providerIds.join(' ')} ${wanted.from} ${wanted.to}`;
    const key = keys[what] ?? crypto.randomUUID();
    setKeys({ ...keys, [what]: key });
    return key;
  };
  return (
    <section className={styles.section} aria-labelledby="close-time">
      <h2 id="close-time">{t('desk.close.title')}</h2>
      {counts && time ? (
        <Preview
          key={foresee.press}
          providers={providers}
          time={time}
          counts={counts}
          keyOf={keyOf}
          comeIn={comeIn}
          onChange={() => foresee.forget()}
          onClosed={() => {
            setEntered(NOTHING);
            setKeys(NO_KEYS);
          }}
        />
      ) : (
        <>
          <p className={styles.about}>{t('desk.close.about')}</p>
          <TimeForm
            providers={providers}
            entered={entered}
            onEnter={setEntered}
            busy={foresee.pending}
            onTime={(wanted, onRefused) => foresee.run({ time: wanted, onRefused })}
          />
          <ActionOutcome press={foresee.press}>
            {foresee.error && refusedFields(foresee.error).length === 0 && foresee.error.message}
          </ActionOutcome>
        </>
      )}
    </section>
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  providerIds: 'close-who',
  from: 'close-from-day',
  to: 'close-to-day',
};

/** The service's field errors, linked to the fields of the form. */
const refusedFields = (error: Error): FormError[] =>
  fieldErrorsOf(error).map(({ field, message }) => ({
    fieldId: FIELDS[field] ?? 'close-who',
    message,
  }));

interface Entered {
  readonly who: string;
  /** Null means today. */
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly fromTime: string;
  readonly toTime: string;
}

const NO_KEYS: Readonly<Record<string, string>> = {};

const NOTHING: Entered = { who: '', fromDay: null, toDay: null, fromTime: '', toTime: '' };

interface TimeFormProps extends CloseTimeProps {
  entered: Entered;
  onEnter: (entered: Entered) => void;
  busy: boolean;
  onTime: (time: ForeseenTime, onRefused: (errors: readonly FormError[]) => void) => void;
}

/** Cannot be a provider's id, as ids contain no blanks. */
const EVERYBODY = 'every body';
const IS_ON_GRID = /^([01]\d|2[0-3]):[0-5][05]$/;

function TimeForm({ providers, entered, onEnter, busy, onTime }: TimeFormProps) {
  const today = toClinic(clinicNow()).date;
  const { who, fromTime, toTime } = entered;
  const fromDay = entered.fromDay ?? today;
  const toDay = entered.toDay ?? today;
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const errorOf = (fieldId: string) => errors.find((each) => each.fieldId === fieldId)?.message;

  function submit(event: FormEvent) {
    event.preventDefault();
    const found: FormError[] = [];
    if (who === '') found.push({ fieldId: 'close-who', message: t('desk.close.whoWrong') });
    for (const [fieldId, day] of [
      ['close-from-day', fromDay],
      ['close-to-day', toDay],
    ] as const) {
      const message = whyNoDay(day);
      if (message !== null) found.push({ fieldId, message });
    }
    for (const [fieldId, time] of [
      ['close-from-time', fromTime],
      ['close-to-time', toTime],
    ] as const)
      if (time !== '' && !IS_ON_GRID.test(time))
        found.push({ fieldId, message: t('desk.close.timeWrong') });
    if (found.length === 0) {
      const from = toInstant(fromDay, fromTime || '00:00');
      const to = toTime === '' ? startOfDay(addDays(toDay, 1)) : toInstant(toDay, toTime);
      if (to > from && to > clinicNow()) {
        setErrors([]);
        const providerIds = who === EVERYBODY ? providers.map(({ id }) => id) : [who];
        return onTime({ providerIds, from, to }, setErrors);
      }
      found.push({ fieldId: 'close-to-day', message: t('desk.close.toBeforeFrom') });
    }
    setErrors(found);
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary errors={errors} />
      <div className={styles.fields}>
        <SelectField
          id="close-who"
          label={t('desk.close.who')}
          placeholder={t('desk.close.whoChoose')}
          error={errorOf('close-who')}
          options={[
            ...providers.map(({ id, name }) => ({ value: id, label: name })),
            { value: EVERYBODY, label: t('desk.close.everybody') },
          ]}
          value={who}
          onChange={(next) => onEnter({ ...entered, who: next })}
        />
        <TextField
          type="date"
          id="close-from-day"
          label={t('desk.close.fromDay')}
          error={errorOf('close-from-day')}
          value={fromDay}
          onChange={(day) =>
            onEnter({
              ...entered,
              fromDay: day,
              ...(isWholeDay(day) && toDay < day && { toDay: day }),
            })
          }
        />
        <TextField
          inputMode="numeric"
          maxLength={5}
          id="close-from-time"
          label={t('desk.close.fromTime')}
          hint={t('desk.close.fromHint')}
          error={errorOf('close-from-time')}
          value={fromTime}
          onChange={(next) => onEnter({ ...entered, fromTime: next })}
        />
        <TextField
          type="date"
          id="close-to-day"
          label={t('desk.close.toDay')}
          error={errorOf('close-to-day')}
          value={toDay}
          onChange={(next) => onEnter({ ...entered, toDay: next })}
        />
        <TextField
          inputMode="numeric"
          maxLength={5}
          id="close-to-time"
          label={t('desk.close.toTime')}
          hint={t('desk.close.toHint')}
          error={errorOf('close-to-time')}
          value={toTime}
          onChange={(next) => onEnter({ ...entered, toTime: next })}
        />
      </div>
      <div>
        <Button type="submit" busy={busy} busyLabel={t('desk.close.foreseeing')}>
          {t('desk.close.foresee')}
        </Button>
      </div>
    </form>
  );
}

interface PreviewProps extends CloseTimeProps {
  time: ForeseenTime;
  counts: CallAnswer<'deskForeseeClosing'>['extras'];
  keyOf: (time: ForeseenTime) => string;
  comeIn: Ref<HTMLHeadingElement>;
  onChange: () => void;
  onClosed: () => void;
}

/** How many are affected, who they are once that is asked for, and the button that closes the time. */
function Preview(props: PreviewProps) {
  const { providers, time, counts, keyOf, comeIn, onChange, onClosed } = props;
  useStays();
  const [, goTo] = useLocation();
  const close = useAction({
    work: () => ask('deskCloseTime', { headers: { 'idempotency-key': keyOf(time) }, body: time }),
    onDone: ({ extras: { id } }) => {
      onClosed();
      goTo(`/schedule/closings/${id}`);
    },
    shows: [closingsQuery.queryKey],
    unknown: t('desk.close.unknown'),
  });
  const { cancelled, verdict } = counts;
  return (
    <div
      className={styles.form}
      data-acts-on={`${time.providerIds.join(' ')} ${time.from} ${time.to} ${cancelled}`}
    >
      <h3 tabIndex={-1} ref={comeIn}>
        {t('desk.close.wouldBe', {
          span: spanText(time),
          who: whoText(time.providerIds, providers),
        })}
      </h3>
      <Sums counts={counts} />
      {isAnybody(counts) && <Affected time={time} providers={providers} />}
      {verdict !== 'atOnce' && verdict !== undefined && <p>{t(`desk.close.${verdict}`)}</p>}
      <p className={styles.about}>{t('desk.close.meanwhile')}</p>
      <div className={styles.buttons}>
        {verdict !== 'refused' && (
          <Button
            variant="danger"
            busy={close.pending}
            busyLabel={t('desk.close.closing')}
            onClick={() => close.run()}
          >
            {t('desk.close.now', { n: cancelled })}
          </Button>
        )}
        <LeaveButton onClick={onChange}>{t('desk.close.change')}</LeaveButton>
      </div>
      <Outcome of={close} />
    </div>
  );
}

const isAnybody = ({ cancelled, released, underWay }: PreviewProps['counts']) =>
  cancelled + released + underWay > 0;

function Sums({ counts }: Pick<PreviewProps, 'counts'>) {
  const amount = formatMoney(locale, counts.refundedCents);
  const sums = [
    [counts.cancelled, 'desk.close.sumCancelled'],
    [counts.refunds, 'desk.close.sumRefunds'],
    [counts.released, 'desk.close.sumReleased'],
    [counts.underWay, 'desk.close.sumUnderWay'],
    [counts.toCall, 'desk.close.sumCall'],
  ] as const;
  if (!isAnybody(counts)) return <p>{t('desk.close.nobody')}</p>;
  return (
    <ul className={styles.sums}>
      {sums.map(([n, words]) => n > 0 && <li key={words}>{t(words, { n, amount })}</li>)}
    </ul>
  );
}
