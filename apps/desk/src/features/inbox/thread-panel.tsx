import { useDraft } from '@clinic/app/drafts';
import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import type { ApiDeskThread } from '@clinic/contract';
import { deskPages, toClinic } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { useComeIn } from '@clinic/ui/come-in';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import { BookDialog } from '../../shared/booking/dialogs.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { useMay } from '../../shared/may.ts';
import { useFormOver } from '../../shared/form-over.tsx';
import { SidePanel } from '../../shared/side-panel.tsx';
import { locale, t } from '../../shared/words.ts';
import { AnswerForm } from './answer-form.tsx';
import { PhoneLink } from '../../shared/fact.tsx';
import { Attachment } from './attachment.tsx';
import { type Act, type Acting, threadQuery, whoSaid } from './inbox-data.ts';
import styles from './inbox.module.css';
import { Notes } from './notes.tsx';

/** A message with all later entries and its actions. The audit trail records the opening. */
export function ThreadPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const comeIn = useComeIn(id);
  const thread = useQuery(threadQuery(id));
  const [last, onAct] = useState<Act | null>(null);
  const acting = { last, onAct };
  const { data } = thread;
  const queries = useQueryClient();
  const [bookedId, setBookedId] = useDraft<string | null>(`booked for ${id}`, null);
  // No longer once it is undone or cancelled.
  const booked = data?.upcoming?.find(({ appointmentId }) => appointmentId === bookedId);
  return (
    <SidePanel
      title={data?.patient.name}
      actsOn={data && `${id} ${data.patient.name}`}
      comeIn={comeIn}
      onClose={onClose}
    >
      <LoadState of={thread} />
      {data && (
        <>
          <p className={styles.line}>
            <span>{t(`desk.inbox.state.${data.state}`)}</span>
            <span className={styles.soft}>
              {t('desk.bornOn', { date: data.patient.birthDate })}
            </span>
            {data.patient.phone !== '' && <PhoneLink phone={data.patient.phone} />}
          </p>
          <Booked
            thread={data}
            onPlaced={(appointmentId) => {
              setBookedId(appointmentId);
              void queries.invalidateQueries({ queryKey: threadQuery(id).queryKey });
            }}
          />
          <Assignee thread={data} {...acting} />
          <Entries entries={data.entries} />
          <AnswerForm
            thread={data}
            proposal={booked?.answer ?? ''}
            onProposalUsed={() => setBookedId(null)}
            {...acting}
          />
          <Notes thread={data} {...acting} />
        </>
      )}
    </SidePanel>
  );
}

/** Books for the patient; their record, and what they have booked ahead. */
function Booked({ thread, onPlaced }: BookedProps) {
  const may = useMay();
  const [isBooking, setBooking] = useState(false);
  const { patient, upcoming } = thread;
  if (patient.id === undefined || patient.recordId === undefined || upcoming === undefined)
    return null;
  const mayBook = may('bookAppointment');
  return (
    <>
      <p className={styles.line}>
        {mayBook && (
          <Button variant="secondary" onClick={() => setBooking(true)}>
            {t('desk.inbox.book')}
          </Button>
        )}
        <Link href={pathTo(deskPages.patient, { id: patient.recordId })}>
          {t('desk.inbox.record')}
        </Link>
      </p>
      {upcoming.length === 0 ? (
        <p className={styles.soft}>{t('desk.inbox.noneUpcoming')}</p>
      ) : (
        <ul className={styles.list} aria-label={t('desk.inbox.upcoming')}>
          {upcoming.map(({ appointmentId, start, description, provider }) => {
            const { date } = toClinic(start);
            const said = `${formatMoment(locale(), start)}, ${description}, ${provider}`;
            return (
              <li key={appointmentId}>
                {mayBook ? (
                  <Link href={pathTo(deskPages.day, { date }, { appointment: appointmentId })}>
                    {said}
                  </Link>
                ) : (
                  said
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isBooking && (
        <BookDialog forPerson={patient.id} onPlaced={onPlaced} onClose={() => setBooking(false)} />
      )}
    </>
  );
}

interface BookedProps {
  thread: ApiDeskThread;
  onPlaced: (appointmentId: string) => void;
}

function Entries({ entries }: Pick<ApiDeskThread, 'entries'>) {
  return (
    <ol className={styles.entries} aria-label={t('desk.inbox.thread')}>
      {entries.map((entry) => (
        <li
          key={entry.id}
          className={classNames(styles.said, entry.from === 'clinic' && styles.byClinic)}
        >
          <p className={styles.line}>
            <b>{whoSaid(entry)}</b>
            <span className={styles.soft}>{formatMoment(locale(), entry.at)}</span>
            {entry.editedAt !== null && (
              <span className={styles.soft}>
                {t('desk.inbox.edited', { when: formatMoment(locale(), entry.editedAt) })}
              </span>
            )}
          </p>
          <p className={styles.text}>{entry.message}</p>
          {entry.files.length > 0 && (
            <ul className={styles.list}>
              {entry.files.map((file) => (
                <Attachment key={file.id} file={file} />
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

function Assignee({ thread, last, onAct }: { thread: ApiDeskThread } & Acting) {
  const { id, assignedTo, colleagues } = thread;
  const form = useFormOver({ staffId: assignedTo?.id ?? '' }, thread.formVersion);
  const value = form.draft.staffId;
  const assign = useAction({
    work: (staffId: string) =>
      ask('deskAssignMessage', {
        params: { id },
        headers: form.headers(['staffId']),
        body: { staffId: staffId === '' ? null : staffId },
      }),
    shows: [['messages']],
  });
  const options = colleagues.map(({ id: staffId, name, isSelf }) => ({
    value: staffId,
    label: isSelf ? t('desk.inbox.self', { name }) : name,
  }));
  // Keep the assigned colleague as an option even after they left or lost access to the patient.
  if (assignedTo && !colleagues.some((each) => each.id === assignedTo.id))
    options.push({ value: assignedTo.id, label: assignedTo.name });
  const nameOf = (staffId: string) => options.find((each) => each.value === staffId)?.label ?? '';
  return (
    <form
      className={styles.inline}
      onSubmit={(event) => {
        event.preventDefault();
        if (assign.pending) return;
        onAct('assign');
        assign.run(value);
      }}
    >
      <SelectField
        label={t('desk.inbox.assignee')}
        placeholder={t('desk.inbox.nobody')}
        options={options}
        value={value}
        onChange={(staffId) => form.change({ staffId })}
      />
      <Button
        type="submit"
        variant="secondary"
        busy={assign.pending}
        busyLabel={t('desk.inbox.assigning')}
      >
        {t('desk.inbox.assign')}
      </Button>
      {form.conflicts.length > 0 &&
        form.elsewhere(() => ({
          label: t('desk.inbox.assignee'),
          saved: assignedTo?.name ?? t('desk.inbox.nobody'),
        }))}
      {last === 'assign' && (
        <div className={styles.outcome}>
          <Outcome
            of={assign}
            done={
              assign.input
                ? t('desk.inbox.assigned', { name: nameOf(assign.input) })
                : t('desk.inbox.unassigned')
            }
          />
        </div>
      )}
    </form>
  );
}
