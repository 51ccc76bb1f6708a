import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import { useClinicMinute } from '@clinic/app/use-clock';
import type { ApiOwnAppointment } from '@clinic/contract';
import { type Attendance, type ClinicDate, deskPages, toClinic } from '@clinic/domain';
import { formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { EmptyState } from '@clinic/ui/page-states';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { moveByArrows } from '../../shared/arrows.ts';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';
import { Lateness } from './lateness.tsx';
import styles from './my-day.module.css';
import { OWN_DAY, ownDayQuery } from './own-data.ts';
import { OwnPatient, noteText } from './own-patient.tsx';

/** A clinician's own patients of today, in order. */
export function MyDayPage() {
  const [, goTo] = useLocation();
  const date = toClinic(useClinicMinute()).date;
  const providerId = useQuery(ownDayQuery(date)).data?.providerId;
  return (
    <Page
      title={t('desk.screen.myDay')}
      beside={
        providerId !== undefined && (
          <Button
            variant="secondary"
            onClick={() => goTo(pathTo(deskPages.providerWeek, { providerId, date }))}
          >
            {t('desk.own.week')}
          </Button>
        )
      }
    >
      <Today date={date} key={date} />
    </Page>
  );
}

/** By which key a step is noted. */
const STEP_OF_KEY: Readonly<Record<string, Attendance>> = {
  a: 'arrived',
  r: 'inRoom',
  s: 'completed',
};

interface Step {
  readonly of: ApiOwnAppointment;
  readonly to: Attendance;
}

function Today({ date }: { date: ClinicDate }) {
  const keysId = useId();
  const minute = useClinicMinute();
  const day = useQuery(ownDayQuery(date));
  const all = day.data?.appointments ?? [];
  const [openId, setOpenId] = useState<string>();
  const [enteredId, setEnteredId] = useState<string>();
  const comeIn = useComeIn(date);
  const [said, say] = useSaid();
  const note = useAction({
    work: ({ of, to }: Step) =>
      ask('deskNoteAttendance', { params: { id: of.id }, body: { to, from: of.attendance } }),
    shows: [OWN_DAY],
  });
  const next = nextOf(all);
  const entered = all.some(({ id }) => id === enteredId) ? enteredId : (next ?? all[0])?.id;
  const noteStep = (of: ApiOwnAppointment, to: Attendance) => {
    if (of.next.includes(to)) note.run({ of, to });
  };
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    moveByArrows(event);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    const to = STEP_OF_KEY[event.key.toLowerCase()];
    const entry = (event.target as Element).closest<HTMLElement>('[data-choice]');
    const of = all.find(({ id }) => id === entry?.dataset['choice']);
    if (isPlain && to && of) noteStep(of, to);
  };
  const isToBeSeen = ({ attendance }: ApiOwnAppointment) =>
    attendance !== 'completed' && attendance !== 'noShow';
  return (
    <>
      <div className={styles.about}>
        <p>
          <strong>{formatFullDate(locale(), date)}</strong>
          {day.data && (
            <>
              <br />
              {t('desk.own.counts', {
                ahead: all.filter(isToBeSeen).length,
                waiting: all.filter(({ attendance }) => attendance === 'arrived').length,
              })}
            </>
          )}
        </p>
        {day.data && <Lateness minutes={day.data.lateMinutes} />}
      </div>
      {said}
      <Outcome of={note} />
      <VisuallyHidden>
        <span role="status">
          {note.done &&
            note.input &&
            t('desk.own.noted', {
              name: note.input.of.patient,
              what: noteText(note.input.to, note.input.of.attendance),
            })}
        </span>
      </VisuallyHidden>
      <LoadState of={day} />
      {day.data && all.length === 0 && <EmptyState>{t('desk.own.none')}</EmptyState>}
      {all.length > 0 && (
        <>
          <p id={keysId} hidden>
            {t('desk.own.keys')}
          </p>
          <ol
            className={styles.list}
            aria-label={t('desk.own.list')}
            aria-describedby={keysId}
            onKeyDown={pressKey}
          >
            {all.map((each) => (
              <OwnPatient
                key={each.id}
                appointment={each}
                providerId={day.data?.providerId ?? ''}
                now={minute}
                isNext={each.id === next?.id}
                isEntered={each.id === entered}
                isOpen={each.id === openId}
                comeIn={each.id === (next ?? all[0])?.id ? comeIn : undefined}
                noting={note.pending && note.input?.of.id === each.id ? note.input.to : undefined}
                onEnter={() => setEnteredId(each.id)}
                onOpen={() => setOpenId(each.id === openId ? undefined : each.id)}
                onNote={(to) => noteStep(each, to)}
                onSaid={say}
              />
            ))}
          </ol>
          <p className={styles.keys} aria-hidden="true">
            {t('desk.own.keysShort')}
          </p>
        </>
      )}
    </>
  );
}

/** Who is in the room; else who has waited since the earliest time; else who is expected next. */
const nextOf = (all: readonly ApiOwnAppointment[]) =>
  (['inRoom', 'arrived', 'expected'] as const)
    .map((is) => all.find(({ attendance }) => attendance === is))
    .find((each) => each !== undefined);
