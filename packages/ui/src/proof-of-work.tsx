import { ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { isChallenge, payload, solveChallenge } from './captcha-challenge.ts';
import styles from './captcha.module.css';
import type { CaptchaProps } from './captcha-props.ts';
import { Spinner } from './spinner.tsx';
import { useWords } from './words.tsx';

/** Our own captcha: a proof of work that starts as soon as it is shown. */
export function ProofOfWork({
  onProof,
  attempt,
  words,
  challenge,
  now,
}: Omit<CaptchaProps, 'siteKey'>) {
  const [state, setState] = useState<'checking' | 'done' | 'failed'>('checking');
  const [round, setRound] = useState(0);

  // Workers make the proof outside React; a timer makes a new one when the proof expires.
  useEffect(() => {
    const giveUp = new AbortController();
    let expiry: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      setState('checking');
      onProof(null);
      const proof = await makeProof({ challenge, now }, giveUp.signal);
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
  }, [attempt, round, onProof, challenge, now]);

  return (
    <div className={styles.captcha} role="group" aria-label={words.label}>
      {state === 'checking' && <Spinner label={words.checking} />}
      {state === 'done' && (
        <p className={styles.done} role="status">
          <ShieldCheck size={22} aria-hidden="true" />
          {words.done}
        </p>
      )}
      {state === 'failed' && (
        <CaptchaFailed says={words.failed} onAgain={() => setRound(round + 1)} />
      )}
    </div>
  );
}

/** Says that there is no proof, and offers to try again. */
export function CaptchaFailed({ says, onAgain }: { says: string; onAgain: () => void }) {
  const { tryAgain } = useWords();
  return (
    <>
      <p role="alert">{says}</p>
      <Button variant="quiet" onClick={onAgain}>
        {tryAgain}
      </Button>
    </>
  );
}

/** The proof and how many seconds it stays valid, less five for sending it; null when there is no proof. */
async function makeProof(
  { challenge, now }: Pick<CaptchaProps, 'challenge' | 'now'>,
  signal: AbortSignal,
) {
  try {
    const asked = await challenge(signal);
    if (!isChallenge(asked)) return null;
    const solution = await solveChallenge(asked, signal);
    if (solution === null) return null;
    const { expiresAt } = asked.parameters;
    return {
      payload: payload(asked, solution),
      secondsLeft: expiresAt === undefined ? null : Math.max(1, expiresAt - now() - 5),
    };
  } catch {
    // Aborted, or the browser allows no workers: whoever waits sees that the check failed.
    return null;
  }
}
