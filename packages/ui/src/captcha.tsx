import { Suspense, lazy } from 'react';
import { ProofOfWork } from './proof-of-work.tsx';
import { Spinner } from './spinner.tsx';

export interface CaptchaWords {
  readonly label: string;
  readonly checking: string;
  readonly done: string;
  readonly failed: string;
}

/** What both kinds of captcha need of the app around them. */
export interface AnyCaptchaProps {
  /** Receives the proof, or null while there is none. Must be a stable function. */
  onProof: (proof: string | null) => void;
  /** A proof is valid for one submission: a changed number makes a new proof after a failed one. */
  attempt: number;
  words: CaptchaWords;
}

export interface CaptchaProps extends AnyCaptchaProps {
  /** Google's, when there is a key for its widget. */
  siteKey: string | null;
  /** Asks the service for a challenge. Must be a stable function. */
  challenge: (signal: AbortSignal) => Promise<unknown>;
  /** The service's time in epoch seconds. */
  now: () => number;
}

const Recaptcha = lazy(() => import('./recaptcha.tsx'));

/** The clinic's captcha: our proof of work, or Google's. */
export function Captcha({ siteKey, challenge, now, ...props }: CaptchaProps) {
  if (siteKey === null) return <ProofOfWork {...props} challenge={challenge} now={now} />;
  return (
    <Suspense fallback={<Spinner label={props.words.checking} />}>
      <Recaptcha {...props} siteKey={siteKey} />
    </Suspense>
  );
}
