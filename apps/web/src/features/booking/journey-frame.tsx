import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Page } from '../../shared/ui/page.tsx';
import { StepList } from '../../shared/ui/step-list.tsx';
import type { Step } from './booking-draft.ts';
import styles from './journey-frame.module.css';

interface JourneyFrameProps {
  step: Step;
  title: string;
  /** Pay is a step only where a fee applies. */
  withFee: boolean;
  /** 'Your visit', beside the form from 960 px, above it on phones. */
  summary?: ReactNode;
  children: ReactNode;
}

/** What stands around each screen of the journey: where the patient is, and the visit so far. */
export function JourneyFrame({ step, title, withFee, summary, children }: JourneyFrameProps) {
  const steps = [
    { id: 'schedule', label: t('booking.stepType') },
    { id: 'displaySchedule', label: t('booking.stepTime') },
    { id: 'confirm', label: t('booking.stepConfirm') },
    ...(withFee ? [{ id: 'payment', label: t('booking.stepPay') }] : []),
    { id: 'booked', label: t('booking.stepDone') },
  ];
  return (
    <Page
      title={title}
      width="wide"
      screen={step}
      before={<StepList steps={steps} current={step} />}
    >
      <div className={summary ? styles.beside : styles.alone}>
        {summary && <div className={styles.summary}>{summary}</div>}
        <div className={styles.main}>{children}</div>
      </div>
    </Page>
  );
}
