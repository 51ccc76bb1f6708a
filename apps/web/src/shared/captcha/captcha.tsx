import { Spinner } from '@clinic/ui/spinner';
import { Suspense, lazy } from 'react';
import { t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import './captcha-words.ts';
import { ProofOfWork } from './proof-of-work.tsx';

export interface CaptchaProps {
  /** Receives the proof, or null while there is none. Must be a stable function. */
  onProof: (proof: string | null) => void;
  /** A proof is valid for one submission: a changed number makes a new proof after a failed one. */
  attempt: number;
}

const Recaptcha = lazy(() => import('./recaptcha.tsx'));

/** The clinic's captcha: our proof of work, or Google's if the configuration says so. */
export function Captcha(props: CaptchaProps) {
  const captcha = useConfig()?.captcha;
  if (captcha?.kind !== 'recaptcha' || captcha.siteKey === null) return <ProofOfWork {...props} />;
  return (
    <Suspense fallback={<Spinner label={t('captcha.checking')} />}>
      <Recaptcha {...props} siteKey={captcha.siteKey} />
    </Suspense>
  );
}
