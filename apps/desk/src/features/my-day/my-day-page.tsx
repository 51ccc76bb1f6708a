import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import { useClinicMinute } from '@clinic/app/use-clock';
import type { ApiOwnAppointment } from '@clinic/contract';
import {
  type Attendance,
  type ClinicDate,
  deskPages,
  isWholeDay,
  mondayOf,
  toClinic,
} from '@clinic/domain';
import { formatFullDate } from '@clinic/texts';
import { useComeIn } from '@clinic/ui/come-in';
import { EmptyState } from '@clinic/ui/page-states';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { moveByArrows } from '../../shared/arrows.ts';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import office from '../../shared/office.module.css';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';
import { Lateness } from './lateness.tsx';
import styles from './my-day.module.css';
import { OWN_DAYS, ownDaysQuery } from './own-data.ts';
import { OwnPatient, noteText } from './own-patient.tsx';
import { OwnWeek } from './own-week.tsx';

/** A clinician's own patients of today, in order, or of a week. */
export function MyDayPage() {
  const today = toClinic(useClinicMinute()).date;
  const [search] = useSearchParams();
  const week = search.get('week');
  return (
    <Page title={t('desk.screen.myDay')} beside={<OwnTabs today={today} isWeek={week !== null} />}>
      {week === null ? (
        <Today date={today} key={today} />
      ) : (
        <OwnWeek monday={mondayOf(isWholeDay(week) ? week : today)} today={today} />
      )}
    </Page>
  );
}

function OwnTabs({ today, isWeek }: { today: ClinicDate; isWeek: boolean }) {
  const tabs = [
    { to: deskPages.myDay, name: t('desk.today'), isOpen: !isWeek },
    {
      to: pathTo(deskPages.myDay, {}, { week: mondayOf(today) }),
      name: t('desk.own.week'),
      isOpen: isWeek,
    },
  ];
  return (
    <nav className={office.tabs} aria-label={t('desk.own.tabs')}>
      <ul>
        {tabs.map(({ to, name, isOpen }) => (
          <li key={to}>
            <Link href={to} aria-current={isOpen ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
  const days = useQuery(ownDaysQuery(date, '1'));
  const all = days.data?.days[0]?.appointments ?? [];
  const [openId, setOpenId] = useState<string>();
  const [enteredId, setEnteredId] = useState<string>();
  const comeIn = useComeIn(date);
  const [said, say] = useSaid();
  const note = useAction({
    work: ({ of, to }: Step) =>
      ask('deskNoteAttendance', { params: { id: of.id }, body: { to, from: of.attendance } }),
    shows: [OWN_DAYS],
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
          {days.data && (
            <>
              <br />
              {t('desk.own.counts', {
                ahead: all.filter(isToBeSeen).length,
                waiting: all.filter(({ attendance }) => attendance === 'arrived').length,
              })}
            </>
          )}
        </p>
        {days.data && <Lateness minutes={days.data.lateMinutes} />}
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
      <LoadState of={days} />
      {days.data && all.length === 0 && <EmptyState>{t('desk.own.none')}</EmptyState>}
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
                providerId={days.data?.providerId ?? ''}
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
