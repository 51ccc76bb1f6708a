import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef } from 'react';
import { Fact, Facts } from '../fact.tsx';
import { t } from '../words.ts';
import styles from './booking.module.css';

interface SummaryProps {
  title: string;
  /** Whom, when and how it books or moves. */
  actsOn: string;
  facts: readonly (readonly [name: string, value: string])[];
  does: string;
  doing: string;
  busy: boolean;
  /** For the button. */
  comeIn: Ref<HTMLButtonElement> | undefined;
  onPress: () => void;
  onBack: () => void;
  /** Choices that are still open. */
  choices?: ReactNode;
  /** What came of the last press. */
  outcome: ReactNode;
  /** In place of the button: what a rule says to it. */
  children?: ReactNode;
}

/** All that a press on its button would do, before it does it. Escape leads back. */
export function Summary({
  title,
  actsOn,
  facts,
  does,
  doing,
  busy,
  comeIn,
  onPress,
  onBack,
  choices,
  outcome,
  children,
}: SummaryProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const leadBack = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || busy) return;
    const within = event.target instanceof Element ? event.target.closest('dialog') : null;
    if (within !== null && !within.contains(section.current)) return;
    event.preventDefault();
    onBack();
  });
  // Wherever the focus is: a press beside its buttons takes it to the dialog, which Escape would close.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => leadBack(event);
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, []);
  return (
    <section
      ref={section}
      className={classNames(styles.stack, styles.summary)}
      aria-labelledby={`${id}-title`}
      data-acts-on={actsOn}
    >
      <h3 id={`${id}-title`}>{title}</h3>
      <div id={`${id}-facts`}>
        <Facts>
          {facts.map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      </div>
      {choices}
      {outcome}
      {children}
      <div className={styles.buttons}>
        {!children && (
          <Button
            ref={comeIn}
            data-autofocus=""
            aria-describedby={`${id}-facts`}
            busy={busy}
            busyLabel={doing}
            onClick={onPress}
          >
            {does}
          </Button>
        )}
        <Button variant="secondary" disabled={busy} onClick={onBack}>
          {t('desk.otherTimes')}
        </Button>
      </div>
    </section>
  );
}
