import { useState } from 'react';

/** The proof of a form's captcha. It is valid for one submission, whatever the outcome: `renew` has another made. */
export function useCaptcha() {
  const [proof, onProof] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  return { proof, renew: () => setAttempt((one) => one + 1), props: { attempt, onProof } };
}
