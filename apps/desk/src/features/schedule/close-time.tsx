import { fieldErrorsOf, messageOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { useDraft } from '@clinic/app/drafts';
import { Form, type FormState, type FoundError, useForm } from '@clinic/app/form';
import type { CallAnswer } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { addDays, isWholeDay, startOfDay, toClinic, toInstant, deskPages } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { Fragment, type Ref } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../../shared/api.ts';
import { whyNoDay } from '../../shared/day-field.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { Section } from '../../shared/section.tsx';
import { LeaveButton, useStays } from '../../shared/under-way.tsx';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import { Affected } from './affected.tsx';
import { type ForeseenTime, closingsQuery, spanText, whoText } from '../../shared/schedule-data.ts';
import styles from './schedule.module.css';

interface CloseTimeProps {
  providers: readonly { readonly id: string; readonly name: string }[];
}

/** The fields of the form, by what the service calls them. */
const FIELDS: Readonly<Record<string, keyof Entered>> = {
  providerIds: 'who',
  from: 'fromDay',
  to: 'toDay',
};

/** Chooses a time to close, shows the affected patients, and closes it. */
export function CloseTime({ providers }: CloseTimeProps) {
  const form = useForm(useDraft('close-time', NOTHING));
  const foresee = useAction({
    work: (wanted: ForeseenTime) => ask('deskForeseeClosing', { body: wanted }),
    onFailed: (error) => form.failed(error, null, (field) => FIELDS[field] ?? 'who'),
    gcTime: 0,
    changes: () => false,
  });
  const counts = foresee.result?.extras;
  const time = foresee.input;
  const comeIn = useComeIn(foresee.press);
  return (
    <Section title={t('desk.close.title')} isCard>
      {counts && time ? (
        <Preview
          key={foresee.press}
          providers={providers}
          time={time}
          counts={counts}
          comeIn={comeIn}
          onChange={() => foresee.forget()}
          onClosed={() => form.change(NOTHING)}
        />
      ) : (
        <>
          <p className={office.about}>{t('desk.close.about')}</p>
          <TimeForm
            providers={providers}
            form={form}
            pending={foresee.pending}
            onTime={foresee.run}
          />
          <ActionOutcome press={foresee.press}>
            {foresee.error && fieldErrorsOf(foresee.error).length === 0 && messageOf(foresee.error)}
          </ActionOutcome>
        </>
      )}
    </Section>
  );
}

interface Entered {
  readonly who: string;
  /** Null means today. */
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly fromTime: string;
  readonly toTime: string;
}

const NOTHING: Entered = { who: '', fromDay: null, toDay: null, fromTime: '', toTime: '' };

interface TimeFormProps extends CloseTimeProps {
  form: FormState<Entered>;
  pending: boolean;
  onTime: (time: ForeseenTime) => void;
}

const ENDS = ['from', 'to'] as const;

/** Cannot be a provider's id, as ids contain no blanks. */
const EVERYBODY = 'every body';
const IS_ON_GRID = /^([01]\d|2[0-3]):[0-5][05]$/;

type Span = Readonly<Record<'fromDay' | 'fromTime' | 'toDay' | 'toTime', string>>;

const instantsOf = ({ fromDay, fromTime, toDay, toTime }: Span) => ({
  from: toInstant(fromDay, fromTime || '00:00'),
  to: toTime === '' ? startOfDay(addDays(toDay, 1)) : toInstant(toDay, toTime),
});

function wrongIn(who: string, span: Span): FoundError<keyof Entered>[] {
  const found: FoundError<keyof Entered>[] = [];
  if (who === '') found.push({ field: 'who', message: t('desk.close.whoWrong') });
  for (const field of ['fromDay', 'toDay'] as const) {
    const message = whyNoDay(span[field]);
    if (message !== null) found.push({ field, message });
  }
  for (const field of ['fromTime', 'toTime'] as const)
    if (span[field] !== '' && !IS_ON_GRID.test(span[field]))
      found.push({ field, message: t('desk.close.timeWrong') });
  if (found.length > 0) return found;
  const { from, to } = instantsOf(span);
  const isAhead = to > from && to > clinicNow();
  return isAhead ? [] : [{ field: 'toDay', message: t('desk.close.toBeforeFrom') }];
}

function TimeForm({ providers, form, pending, onTime }: TimeFormProps) {
  const today = toClinic(clinicNow()).date;
  const { who, fromTime, toTime } = form.values;
  const fromDay = form.values.fromDay ?? today;
  const toDay = form.values.toDay ?? today;
  const span = { fromDay, fromTime, toDay, toTime };
  return (
    <Form
      of={form}
      className={styles.form}
      textsStay
      pending={pending}
      check={() => wrongIn(who, span)}
      onSend={() => {
        const providerIds = who === EVERYBODY ? providers.map(({ id }) => id) : [who];
        onTime({ providerIds, ...instantsOf(span) });
      }}
    >
      <div className={styles.fields}>
        <SelectField
          {...form.field('who')}
          label={t('desk.close.who')}
          placeholder={t('desk.close.whoChoose')}
          options={[
            ...providers.map(({ id, name }) => ({ value: id, label: name })),
            { value: EVERYBODY, label: t('desk.close.everybody') },
          ]}
        />
        {ENDS.map((end) => (
          <Fragment key={end}>
            <TextField
              {...form.field(`${end}Day`)}
              type="date"
              label={t(`desk.close.${end}Day`)}
              value={span[`${end}Day`]}
              onChange={(day) => {
                const takesAlong = end === 'from' && isWholeDay(day) && toDay < day;
                form.change({ [`${end}Day`]: day, ...(takesAlong && { toDay: day }) });
              }}
            />
            <TextField
              {...form.field(`${end}Time`)}
              inputMode="numeric"
              maxLength={5}
              label={t(`desk.close.${end}Time`)}
              hint={t(`desk.close.${end}Hint`)}
            />
          </Fragment>
        ))}
      </div>
      <div>
        <Button type="submit" busy={pending} busyLabel={t('desk.looking')}>
          {t('desk.close.foresee')}
        </Button>
      </div>
    </Form>
  );
}

interface PreviewProps extends CloseTimeProps {
  time: ForeseenTime;
  counts: CallAnswer<'deskForeseeClosing'>['extras'];
  comeIn: Ref<HTMLHeadingElement>;
  onChange: () => void;
  onClosed: () => void;
}

/** How many are affected, who they are once that is asked for, and the button that closes the time. */
function Preview(props: PreviewProps) {
  const { providers, time, counts, comeIn, onChange, onClosed } = props;
  useStays();
  const [, goTo] = useLocation();
  const close = useAction({
    work: (body: ForeseenTime, key) =>
      ask('deskCloseTime', { headers: { 'idempotency-key': key }, body }),
    keptAs: 'close-time',
    onDone: ({ extras: { id } }) => {
      onClosed();
      goTo(pathTo(deskPages.closing, { id }));
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
      <p className={office.about}>{t('desk.close.meanwhile')}</p>
      <div className={office.buttons}>
        {verdict !== 'refused' && (
          <Button
            variant="danger"
            busy={close.pending}
            busyLabel={t('desk.close.closing')}
            onClick={() => close.run(time)}
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

/** How many closing a time affects, and how. */
export function Sums({ counts }: Pick<PreviewProps, 'counts'>) {
  const amount = formatMoney(locale(), counts.refundedCents);
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
