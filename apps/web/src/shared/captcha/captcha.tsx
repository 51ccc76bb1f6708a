import { Spinner } from '@clinic/ui/spinner';
import { Suspense, lazy } from 'react';
import { t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import './captcha-words.ts';
import { ProofOfWork } from './proof-of-work.tsx';

export interface CaptchaProps {
  /** Receives the proof, or null while there is none. Give a stable function. */
  onProof: (proof: string | null) => void;
  /** A proof is good for one try: change this after a failed one, and a new one is made. */
  attempt: number;
}

const Recaptcha = lazy(() => import('./recaptcha.tsx'));

/**
 * The check for bots that the clinic has chosen: its own, unless its configuration says Google's.
 */
export function Captcha(props: CaptchaProps) {
  const captcha = useConfig()?.captcha;
  if (captcha?.kind !== 'recaptcha' || captcha.siteKey === null) return <ProofOfWork {...props} />;
  return (
    <Suspense fallback={<Spinner label={t('captcha.checking')} />}>
      <Recaptcha {...props} siteKey={captcha.siteKey} />
    </Suspense>
  );
}
