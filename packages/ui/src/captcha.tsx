import { Suspense, lazy } from 'react';
import type { CaptchaProps } from './captcha-props.ts';
import { ProofOfWork } from './proof-of-work.tsx';
import { Spinner } from './spinner.tsx';

export type { AnyCaptchaProps } from './captcha-props.ts';

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
