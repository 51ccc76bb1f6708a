import type { ApiFreeTime } from '@clinic/contract';
import { focusByPress } from '@clinic/ui/focus';
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import { reachedByArrow } from '../arrows.ts';
import { t } from '../words.ts';
import styles from './booking.module.css';
import { minutesOf, shownTime } from './shown-time.ts';

export const keyOf = ({ doctor, start }: ApiFreeTime): string => `${doctor} ${start}`;

interface TimesListProps {
  times: readonly ApiFreeTime[];
  nameOf: (providerId: string) => string;
  /** What the times are of. */
  actsOn: string;
  /** The time in hand, by its key; where it is not there, the first is. */
  inHand: string | undefined;
  isAsking: boolean;
  comeIn: Ref<HTMLDivElement> | undefined;
  onInHand: (key: string) => void;
  onChoose: (time: ApiFreeTime) => void;
  /** What is said where there is none. */
  children: ReactNode;
}

/** A key of the list leads to the field that is marked with it; it presses a button, and of several leads to the first. */
export const leadsTo = (key: 't' | 'p' | 'd' | 'c' | 'f') => ({ 'data-leads': key });

/**
 * Free times, of which one is in hand. The list itself has the focus, also before its times are there: these come
 * without moving it.
 */
export function TimesList({
  times,
  nameOf,
  actsOn,
  inHand,
  isAsking,
  comeIn,
  onInHand,
  onChoose,
  children,
}: TimesListProps) {
  const id = useId();
  const held = times.find((each) => keyOf(each) === inHand) ?? times[0];
  const idOf = (time: ApiFreeTime) => `${id}-${keyOf(time).replace(' ', '-')}`;

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, currentTarget: list, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const marked = `[data-leads="${CSS.escape(key.toLowerCase())}"]`;
    const fields = list.closest('dialog')?.querySelectorAll<HTMLElement>(marked);
    const field = fields?.[0];
    const to = reachedByArrow(list, list.querySelector('[aria-selected=true]'), key);
    // On a time that was clicked the browser presses it.
    const isChosen = (key === 'Enter' || key === ' ') && event.target === list && held;
    if (!field && !to && !isChosen) return;
    event.preventDefault();
    if (field instanceof HTMLButtonElement && fields?.length === 1) field.click();
    else if (field) focusByPress(field);
    else if (to) {
      onInHand(to.dataset['choice'] ?? '');
      to.scrollIntoView?.({ block: 'nearest' });
    } else if (held) onChoose(held);
  }

  return (
    <section className={styles.stack} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('desk.freeTimes')}</h3>
      <p id={`${id}-keys`} className={styles.soft}>
        {t('desk.freeTimesKeys')}
      </p>
      <div
        className={styles.times}
        role="listbox"
        tabIndex={0}
        ref={comeIn}
        data-autofocus=""
        data-acts-on={[actsOn, ...times.map(keyOf)].join()}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-keys`}
        aria-busy={isAsking}
        aria-activedescendant={held && idOf(held)}
        onKeyDown={onKeyDown}
      >
        {times.map((time) => (
          <button
            key={keyOf(time)}
            id={idOf(time)}
            type="button"
            role="option"
            className={styles.choice}
            data-choice={keyOf(time)}
            data-acts-on={keyOf(time)}
            tabIndex={-1}
            aria-selected={time === held}
            onClick={() => {
              onInHand(keyOf(time));
              onChoose(time);
            }}
          >
            <b>{shownTime(time.start)}</b>
            <span>{nameOf(time.doctor)}</span>
            <span className={styles.soft}>
              {t('desk.minutesLong', { minutes: minutesOf(time) })}
            </span>
          </button>
        ))}
      </div>
      {times.length === 0 && children}
    </section>
  );
}
