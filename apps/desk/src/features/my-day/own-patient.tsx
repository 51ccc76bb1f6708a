import { codeOf } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import type { ApiOwnAppointment } from '@clinic/contract';
import {
  type Attendance,
  type LookReason,
  delayOf,
  deskPages,
  formatTime,
  toClinic,
} from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import { BookDialog } from '../../shared/booking/dialogs.tsx';
import { Fact, Facts, PhoneLink } from '../../shared/fact.tsx';
import { AskLookReason } from '../../shared/look-reason.tsx';
import { t } from '../../shared/words.ts';
import { FollowUp } from './follow-up.tsx';
import styles from './my-day.module.css';

interface OwnPatientProps {
  appointment: ApiOwnAppointment;
  now: number;
  /** Whose turn it is. */
  isNext: boolean;
  /** Tab comes to this one. */
  isEntered: boolean;
  isOpen: boolean;
  providerId: string;
  comeIn: ((element: HTMLElement | null) => void) | undefined;
  /** The step that is being noted. */
  noting: Attendance | undefined;
  onEnter: () => void;
  onOpen: () => void;
  onNote: (to: Attendance) => void;
  onSaid: (says: string) => void;
}

const KEY_OF: Partial<Record<Attendance, string>> = { arrived: 'A', inRoom: 'R', completed: 'S' };

/** One of the patients of the day: a line, its usual step, and why they come once that is asked for. */
export function OwnPatient(props: OwnPatientProps) {
  const { appointment, now, isNext, isEntered, isOpen, comeIn, noting } = props;
  const { id, patient, description, start, end, attendance, next } = appointment;
  const delay = delayOf(appointment, now);
  const usual = next.find((to) => to === 'inRoom' || to === 'completed');
  return (
    <li
      className={classNames(styles.patient, styles[attendance], isNext && styles.next)}
      data-acts-on={`${id} ${attendance}`}
    >
      <div className={styles.line}>
        <button
          ref={comeIn}
          type="button"
          className={styles.entry}
          data-choice={id}
          tabIndex={isEntered ? 0 : -1}
          aria-expanded={isOpen}
          aria-keyshortcuts={next.flatMap((to) => KEY_OF[to] ?? []).join(' ') || undefined}
          onFocus={props.onEnter}
          onClick={props.onOpen}
        >
          <span className={styles.time}>{formatTime(start)}</span>{' '}
          <span className={styles.who}>
            <b>{patient}</b>{' '}
            <span className={styles.soft}>
              {t('desk.own.slot', {
                type: description,
                minutes: Math.round((end - start) / 60),
              })}
            </span>
          </span>{' '}
          <span className={styles.standing}>
            {t(`desk.${attendance}`)}
            {delay && (
              <>
                {' '}
                <span className={styles[`is-${delay.is}`]}>
                  {t(`desk.own.${delay.of}`, { n: delay.minutes })}
                </span>
              </>
            )}
          </span>
        </button>
        <div className={styles.step}>
          {usual && (
            <Button
              variant={isNext ? 'primary' : 'secondary'}
              wide
              aria-label={t('desk.own.noteOf', { what: t(`desk.note.${usual}`), name: patient })}
              busy={noting === usual}
              onClick={() => props.onNote(usual)}
            >
              {t(`desk.note.${usual}`)}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <Opened {...props} />}
    </li>
  );
}

/** A way back has a text of its own. */
export function noteText(to: Attendance, from: Attendance): string {
  if (to === 'arrived' && from === 'inRoom') return t('desk.note.backFromRoom');
  if (to === 'expected' && from === 'noShow') return t('desk.note.takeBack');
  return t(`desk.note.${to}`);
}

/** Why they come and how to reach them, which the trail has, and what follows. */
function Opened({ appointment, providerId, noting, onNote, onSaid }: OwnPatientProps) {
  const { id, patient, type, description, attendance, next } = appointment;
  const [lookReason, setLookReason] = useState<LookReason>();
  const [doing, setDoing] = useState<'book' | 'wish'>();
  const opened = useQuery({
    queryKey: ['appointment', id, lookReason],
    queryFn: async () => {
      const body = lookReason === undefined ? {} : { lookReason };
      return (await ask('deskOpenAppointment', { params: { id }, body })).extras;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data, error } = opened;
  if (!data && codeOf(error) === 'lookReasonMissing')
    return <AskLookReason onReason={setLookReason} />;
  if (!data) return <LoadState of={opened} />;
  const { recordId, birthDate, phone } = data.patient;
  const close = () => setDoing(undefined);
  return (
    <div className={styles.opened}>
      <Facts>
        <Fact name={t('desk.reason')}>{data.reason ?? t('desk.noReason')}</Fact>
        <Fact name={t('desk.birthDate')}>{birthDate}</Fact>
        <Fact name={t('desk.phone')}>
          {phone === null ? t('desk.noAccount') : <PhoneLink phone={phone} />}
        </Fact>
        <Fact name={t('desk.own.openRecord')}>
          <Link href={pathTo(deskPages.patient, { id: recordId })}>{recordId}</Link>
        </Fact>
      </Facts>
      <div className={styles.buttons}>
        {next
          .filter((to) => to === 'arrived' || to === 'expected')
          .map((to) => (
            <Button key={to} variant="secondary" busy={noting === to} onClick={() => onNote(to)}>
              {noteText(to, attendance)}
            </Button>
          ))}
        <Button variant="secondary" onClick={() => setDoing('book')}>
          {t('desk.own.book')}
        </Button>
        <Button variant="secondary" onClick={() => setDoing('wish')}>
          {t('desk.own.wish')}
        </Button>
      </div>
      {doing === 'book' && (
        <BookDialog forPerson={recordId} begins={{ type, providerId }} onClose={close} />
      )}
      {doing === 'wish' && (
        <FollowUp
          of={{ recordId, patient, type, description }}
          providerId={providerId}
          today={toClinic(appointment.start).date}
          onClose={close}
          onNoted={(says) => {
            close();
            onSaid(says);
          }}
        />
      )}
    </div>
  );
}
