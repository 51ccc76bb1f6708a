import { Check } from 'lucide-react';
import { classNames } from './class-names.ts';
import styles from './step-list.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';
import { useWords } from './words.tsx';

export interface Step {
  readonly id: string;
  readonly label: string;
}

/** The patient's progress: steps done, the current one, those to come. */
export function StepList({ steps, current }: { steps: readonly Step[]; current: string }) {
  const words = useWords();
  const position = steps.findIndex((step) => step.id === current);
  return (
    <nav aria-label={words.steps}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={classNames(
              styles.step,
              index < position && styles.done,
              index === position && styles.current,
            )}
            aria-current={index === position ? 'step' : undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              {index < position ? <Check size={16} strokeWidth={3} /> : index + 1}
            </span>
            <span className={styles.label}>{step.label}</span>
            {index < position && <VisuallyHidden>({words.stepDone})</VisuallyHidden>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
