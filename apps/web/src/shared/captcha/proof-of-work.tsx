import { Button } from '@clinic/ui/button';
import { Spinner } from '@clinic/ui/spinner';
import { useEffect, useState } from 'react';
import { ShieldCheck } from 'lucide-react';
import { t } from '../../messages/t.ts';
import { clinicNow } from '../../api/clock.ts';
import { callService } from '../../api/service.ts';
import styles from './captcha.module.css';
import type { CaptchaProps } from './captcha.tsx';
import { isChallenge, payload, solveChallenge } from './challenge.ts';

/** Our own captcha: a proof of work that starts as soon as it is shown. */
export function ProofOfWork({ onProof, attempt }: CaptchaProps) {
  const [state, setState] = useState<'checking' | 'done' | 'failed'>('checking');
  const [round, setRound] = useState(0);

  // Workers make the proof outside React; a timer makes a new one when the proof expires.
  useEffect(() => {
    const giveUp = new AbortController();
    let expiry: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      setState('checking');
      onProof(null);
      const proof = await makeProof(giveUp.signal);
      if (giveUp.signal.aborted) return;
      setState(proof === null ? 'failed' : 'done');
      if (proof === null) return;
      onProof(proof.payload);
      if (proof.secondsLeft !== null)
        expiry = setTimeout(() => setRound((one) => one + 1), proof.secondsLeft * 1000);
    };
    void start();
    return () => {
      giveUp.abort();
      clearTimeout(expiry);
    };
  }, [attempt, round, onProof]);

  return (
    <div className={styles.captcha} role="group" aria-label={t('captcha.label')}>
      {state === 'checking' && <Spinner label={t('captcha.checking')} />}
      {state === 'done' && (
        <p className={styles.done} role="status">
          <ShieldCheck size={22} aria-hidden="true" />
          {t('captcha.done')}
        </p>
      )}
      {state === 'failed' && <CaptchaFailed onAgain={() => setRound(round + 1)} />}
    </div>
  );
}

/** Says that there is no proof, and offers to try again. */
export function CaptchaFailed({ onAgain }: { onAgain: () => void }) {
  return (
    <>
      <p role="alert">{t('captcha.failed')}</p>
      <Button variant="quiet" onClick={onAgain}>
        {t('ui.tryAgain')}
      </Button>
    </>
  );
}

/** The proof and how many seconds it stays valid, less five for sending it; null when there is no proof. */
async function makeProof(signal: AbortSignal) {
  try {
    const result = await callService('captchaChallenge', {}, { signal });
    if (result.kind !== 'answer' || !isChallenge(result.answer)) return null;
    const solution = await solveChallenge(result.answer, signal);
    if (solution === null) return null;
    const { expiresAt } = result.answer.parameters;
    return {
      payload: payload(result.answer, solution),
      secondsLeft: expiresAt === undefined ? null : Math.max(1, expiresAt - clinicNow() - 5),
    };
  } catch {
    // Aborted, or the browser allows no workers: the patient sees that the check failed.
    return null;
  }
}
