import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** The proof of work that a call asks for, for one call. */
export async function solvedCaptcha(clinicUrl: string): Promise<string> {
  const answer = await fetch(`${clinicUrl}/api/captcha/challenge`);
  const challenge = (await answer.json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}
