import { formatMoment } from '@clinic/texts';
import { reasonRule, type AppointmentForm } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { classNames } from '@clinic/ui/class-names';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { locale, t } from '../../../messages/t.ts';
import { lengthWords, modeWordsOf } from '../../../shared/appointment-length.ts';
import { TypeName } from '../../../shared/clinic-words.tsx';
import { useFormErrors } from '@clinic/app/form';
import { later } from '@clinic/app/later';
import step from '../step.module.css';
import { typeOf, type StepProps } from '../booking-data.ts';
import '../payment/payment-words.ts';
import { modeOf, useMovedAppointment } from '../appointment-summary.tsx';
import { HoldNotice, isHeldForLong, type HoldState } from '../hold/hold-state.tsx';
import { ProblemWords } from '../hold/problem-words.tsx';
import { useBackCloses } from '../use-journey.ts';
import styles from './confirm.module.css';
import { ANSWER_FORM, type AnswerField } from './answers.ts';
import { Checking } from './checking.tsx';
import { CrashFields } from './crash-fields.tsx';
import { useConfirmSequence } from './use-confirm-sequence.ts';

const ConfirmDialogs = later(async () => (await import('./confirm-dialogs.tsx')).ConfirmDialogs);

interface ConfirmProps extends StepProps<'confirm'> {
  hold: HoldState;
}

/** Step 3: what is about to be booked, for whom, and why. */
export function Confirm({ data, draft, hold, journey, send }: ConfirmProps) {
  const type = typeOf(data, draft.search.type);
  const { user } = data;
  const mode = modeOf(type, journey);
  const seen = modeWordsOf({ ...draft.slot, mode });
  const old = useMovedAppointment(journey.rescheduleOf);
  const form = useFormErrors<AnswerField>(ANSWER_FORM);
  const sequence = useConfirmSequence({ data, draft, type, form, journey, send });
  const { view, press, next, checkAgain, close } = sequence;
  const { unsettled } = view;
  // While there is something to say about the hold, Next does not float over the notice.
  const isSure = hold.kind === 'asking' || isHeldForLong(hold);
  useBackCloses(view.asking !== null, view.busy ? null : close);

  // What 'Your appointment' does not say: on a phone that is day, time and doctor, above the question.
  const facts = (
    <Card>
      <dl className={styles.facts}>
        <Row label={t('appointment.length')} summarised>
          {lengthWords(draft.slot)}
        </Row>
        <Row label={t('booking.what')} summarised>
          <TypeName of={type} />
          {seen !== null && <span className={styles.mode}>{seen}</span>}
        </Row>
        {old !== null && (
          <Row label={t('booking.instead')}>{formatMoment(locale(), old.startTime)}</Row>
        )}
        <Row label={t('booking.patient')}>
          <span translate="no">
            {user.firstName} {user.lastName}
          </span>
        </Row>
      </dl>
    </Card>
  );

  return (
    <ErrorTextsGone value={form.textsGone}>
      <ErrorSummary errors={form.summary} attempt={form.attempt} />
      {unsettled ? (
        <>
          {facts}
          <Checking unknown={unsettled.unknown} onAgain={checkAgain} />
        </>
      ) : (
        <>
          <div className={styles.question}>
            <ReasonField
              id={form.idOf('reason')}
              form={type.form}
              value={journey.answers.reasons[reasonRule(type.form).label]}
              error={form.errorOf('reason')}
              onChange={(reason) => {
                form.edited('reason');
                send({ type: 'answer', reason });
              }}
            />
            {/* Shown where the patient types, to be seen. After a refusal the reason comes first. */}
            {(view.problem === null || hold.kind === 'held') && (
              <HoldNotice draft={draft} state={hold} journey={journey} send={send} />
            )}
          </div>
          {type.form === 'injuryClaim' && (
            <CrashFields
              crash={journey.answers.crash}
              form={form}
              onChange={(crash) => send({ type: 'tellOfCrash', crash })}
            />
          )}
          {facts}
          <div className={step.privacy}>
            <ShieldCheck size={22} aria-hidden="true" />
            <p>{t('booking.privacy')}</p>
          </div>
          {view.problem !== null && (
            <ActionOutcome press={press} title={t('booking.notBooked')}>
              <ProblemWords problem={view.problem} />
              {!view.problem.needsClinic && !view.problem.inTheWay && <p>{t('booking.kept')}</p>}
            </ActionOutcome>
          )}
          <div className={classNames(step.actions, isSure && step.inReach)}>
            <Button
              actsOn={`${type.code} ${draft.slot.start} ${draft.slot.doctor} ${type.chargeCents}`}
              busy={view.busy && view.asking === null}
              busyLabel={t('booking.working')}
              onClick={next}
            >
              {t('booking.next')}
            </Button>
            <Button variant="secondary" disabled={view.busy} onClick={() => send({ type: 'back' })}>
              {t('booking.back')}
            </Button>
          </div>
        </>
      )}
      {view.asking !== null && (
        <ConfirmDialogs
          data={data}
          type={type}
          slot={draft.slot}
          mode={mode}
          rescheduleOf={journey.rescheduleOf}
          sequence={sequence}
        />
      )}
    </ErrorTextsGone>
  );
}

interface RowProps {
  label: string;
  /** True for a row that wide screens show beside the form instead of here. */
  summarised?: boolean;
  children: ReactNode;
}

function Row({ label, summarised = false, children }: RowProps) {
  return (
    <div className={classNames(styles.row, summarised && styles.summarised)}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

interface ReasonFieldProps {
  id: string;
  form: AppointmentForm;
  value: string;
  error: string | null;
  onChange: (reason: string) => void;
}

/** The question that step 3 asks for every form; its label, hint and placeholder depend on the form. */
export function ReasonField({ id, form, value, error, onChange }: ReasonFieldProps) {
  const { label, maximum } = reasonRule(form);
  const field = {
    id,
    label: t(`booking.reason.${label}.label`),
    hint: t(`booking.reason.${label}.hint`),
    placeholder: t(`booking.reason.${label}.placeholder`),
    autoComplete: 'off',
    value,
    error,
    onChange,
  };
  // A number that the patient copies needs one line only.
  if (label !== 'reason') return <TextField {...field} spellCheck={false} />;
  return <TextArea {...field} rows={2} maxCharacters={maximum} />;
}
