import { pathTo } from '@clinic/app/path-to';
import type { ApiClosingCall, ApiClosingEntry } from '@clinic/contract';
import {
  CALL_OUTCOMES,
  type CallOutcome,
  deskPages,
  formatPhone,
  isReached,
  lastCall,
  toClinic,
} from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import { BookDialog } from '../../shared/booking/book-dialog.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { PhoneLink } from '../../shared/fact.tsx';
import { useMay } from '../../shared/may.ts';
import office from '../../shared/office.module.css';
import { closingQuery, nameOf } from '../../shared/schedule-data.ts';
import { locale, t } from '../../shared/words.ts';
import styles from './to-call.module.css';

interface ToCallProps {
  closingId: string;
  entries: readonly ApiClosingEntry[];
  providers: readonly { readonly id: string; readonly name: string }[];
}

/** Whether staff tell them: no email reaches them. */
export const isCalled = ({ email }: ApiClosingEntry): boolean =>
  email === 'call' || email === 'failed';

/**
 * Whom staff call, and what came of it. Who was reached keeps their row, so that nothing moves under the hand; paper
 * has the others alone.
 */
export function ToCall({ closingId, entries, providers }: ToCallProps) {
  const titleId = useId();
  const toCall = entries.filter(isCalled);
  const reached = toCall.filter(({ calls }) => isReached(calls)).length;
  const isOver = reached === toCall.length;
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('desk.call.title')}</h2>
      {toCall.length === 0 ? (
        <p>{t('desk.call.nobody')}</p>
      ) : (
        <>
          <p className={isOver ? undefined : styles.call}>
            {isOver ? t('desk.call.everybody') : t('desk.close.sumCall', { n: toCall.length })}
          </p>
          <p>{t('desk.call.reachedOf', { reached, n: toCall.length })}</p>
          {!isOver && (
            <div className={styles.offPaper}>
              <Button variant="secondary" onClick={() => print()}>
                {t('desk.call.print')}
              </Button>
            </div>
          )}
          <DataTable
            caption={t('desk.call.title')}
            columns={[
              t('desk.patient'),
              t('desk.call.number'),
              t('desk.call.had'),
              t('desk.call.last'),
              t('desk.call.rebooked'),
              t('desk.call.note'),
            ]}
            rows={toCall.map((entry) => (
              <CallRow
                key={entry.appointmentId}
                closingId={closingId}
                entry={entry}
                providers={providers}
              />
            ))}
          />
        </>
      )}
    </section>
  );
}

interface EntryProps extends Pick<ToCallProps, 'closingId' | 'providers'> {
  entry: ApiClosingEntry;
}

function CallRow({ closingId, entry, providers }: EntryProps) {
  const { appointmentId, patient, recordId, phones, calls } = entry;
  const last = lastCall(calls);
  const shows = [closingQuery(closingId).queryKey];
  const note = useAction({
    work: (outcome: CallOutcome, callId) =>
      ask('deskNoteCall', { params: { id: closingId, callId }, body: { appointmentId, outcome } }),
    keptAs: `call ${closingId} ${appointmentId}`,
    shows,
  });
  const takeBack = useAction({
    work: (callId: string) =>
      ask('deskTakeBackCall', { params: { id: closingId, callId }, body: {} }),
    shows,
  });
  // A call that a colleague notes meanwhile makes it another press.
  const actsOn = `${appointmentId} ${last?.id ?? ''}`;
  const isBusy = note.pending || takeBack.pending;
  const whose = <VisuallyHidden>, {patient}</VisuallyHidden>;
  return (
    <tr className={isReached(calls) ? styles.reached : undefined}>
      <th scope="row">
        <Link href={pathTo(deskPages.patient, { id: recordId })}>{patient}</Link>
      </th>
      <td>
        {phones.length === 0
          ? t('desk.call.noNumber')
          : phones.map(({ number, keptIn }) => (
              <p key={number} className={styles.number}>
                <PhoneLink phone={formatPhone(number)} />
                <span className={office.soft}>
                  {keptIn.map((where) => t(`desk.call.in.${where}`)).join(', ')}
                </span>
              </p>
            ))}
      </td>
      <td>
        <p className={office.whole}>{formatMoment(locale(), entry.start)}</p>
        {entry.description}, {nameOf(entry.providerId, providers)}
      </td>
      <td>
        {last === null ? t('desk.call.notYet') : callText(last)}
        {isReached(calls) && last?.outcome !== 'reached' && <p>{t('desk.call.reachedBefore')}</p>}
        {calls.length > (last === null ? 0 : 1) && (
          <details>
            <summary>{t('desk.call.all', { n: calls.length })}</summary>
            <ol className={styles.calls}>
              {calls.map((each) => (
                <li key={each.id}>{callText(each)}</li>
              ))}
            </ol>
          </details>
        )}
      </td>
      <td>
        <Rebooked entry={entry} providers={providers} />
      </td>
      <td>
        <ul className={styles.onPaper}>
          {CALL_OUTCOMES.map((outcome) => (
            <li key={outcome}>{t(`desk.call.${outcome}`)}</li>
          ))}
        </ul>
        <div className={styles.buttons}>
          {CALL_OUTCOMES.map((outcome) => (
            <Button
              key={outcome}
              variant="secondary"
              actsOn={actsOn}
              busy={isBusy}
              onClick={() => {
                takeBack.forget();
                note.run(outcome);
              }}
            >
              {t(`desk.call.${outcome}`)}
              {whose}
            </Button>
          ))}
          {last !== null && (
            <Button
              variant="quiet"
              actsOn={actsOn}
              busy={isBusy}
              onClick={() => {
                note.forget();
                takeBack.run(last.id);
              }}
            >
              {t('desk.call.takeBack')}
              {whose}
            </Button>
          )}
          <Rebook
            closingId={closingId}
            entry={entry}
            onPlaced={() => {
              if (!isReached(calls)) note.run('reached');
            }}
          />
        </div>
        {/* Who sees it reads it as the last call: another line would move the rows beneath. */}
        <VisuallyHidden>
          <span aria-live="polite">
            {note.done &&
              t('desk.call.noted', { outcome: t(`desk.call.${note.input ?? 'reached'}`) })}
          </span>
        </VisuallyHidden>
        <Outcome of={note} />
        <Outcome of={takeBack} done={t('desk.call.isTakenBack')} />
      </td>
    </tr>
  );
}

function callText({ outcome, by, at, takenBack }: ApiClosingCall): string {
  const said = t('desk.call.said', {
    outcome: t(`desk.call.${outcome}`),
    name: by ?? t('desk.closings.byOperator'),
    when: formatMoment(locale(), at),
  });
  return takenBack === null
    ? said
    : t('desk.call.saidTakenBack', {
        said,
        name: takenBack.by ?? t('desk.closings.byOperator'),
        when: formatMoment(locale(), takenBack.at),
      });
}

/** What the patient of an entry has booked since. */
export function Rebooked({ entry: { rebooked }, providers }: Omit<EntryProps, 'closingId'>) {
  if (rebooked === null) return t('desk.call.notRebooked');
  const { appointmentId, start, description, providerId, isHeld } = rebooked;
  const said = t('desk.call.rebookedTo', {
    when: formatMoment(locale(), start),
    type: description,
    provider: nameOf(providerId, providers),
  });
  return (
    <Link
      href={pathTo(deskPages.day, { date: toClinic(start).date }, { appointment: appointmentId })}
    >
      {isHeld ? t('desk.call.rebookedHeld', { said }) : said}
    </Link>
  );
}

interface RebookProps extends Omit<EntryProps, 'providers'> {
  onPlaced?: () => void;
}

/** Books for the patient of an entry what the clinic has cancelled. */
export function Rebook({ closingId, entry, onPlaced }: RebookProps) {
  const queries = useQueryClient();
  const may = useMay();
  const [isBooking, setBooking] = useState(false);
  const { patient, recordId, type, providerId, outcome } = entry;
  if (!may('bookAppointment') || (outcome !== 'cancelled' && outcome !== 'cancelSent')) return null;
  return (
    <>
      <Button variant="secondary" actsOn={entry.appointmentId} onClick={() => setBooking(true)}>
        {t('desk.call.rebook')}
        <VisuallyHidden>, {patient}</VisuallyHidden>
      </Button>
      {isBooking && (
        <BookDialog
          forPerson={recordId}
          begins={{ type, providerId, reason: 'clinicMoved' }}
          onPlaced={() => {
            void queries.invalidateQueries({ queryKey: closingQuery(closingId).queryKey });
            onPlaced?.();
          }}
          onClose={() => setBooking(false)}
        />
      )}
    </>
  );
}
