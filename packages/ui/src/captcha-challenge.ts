/** The part of an altcha v2 challenge that the browser reads. */
interface Challenge {
  readonly parameters: {
    readonly algorithm: string;
    /** Epoch seconds. */
    readonly expiresAt?: number;
  };
  readonly signature?: string;
}

interface Solution {
  readonly counter: number;
  readonly derivedKey: string;
}

export function isChallenge(answer: unknown): answer is Challenge {
  if (typeof answer !== 'object' || answer === null || !('parameters' in answer)) return false;
  const { parameters } = answer;
  return typeof parameters === 'object' && parameters !== null && 'algorithm' in parameters;
}

/** The unchanged challenge with its solution, encoded for the service to verify. */
export function payload({ parameters, signature }: Challenge, solution: Solution): string {
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}

const TIMEOUT_MS = 60_000;

/**
 * Solves a challenge in altcha's web workers, each with its share of the counters, so that the page
 * stays responsive. Null when aborted or when no solution was found in time.
 */
export function solveChallenge(
  challenge: Challenge,
  signal: AbortSignal,
): Promise<Solution | null> {
  const count = Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1 || 1));
  const workers = Array.from({ length: count }, () => workerFor(challenge.parameters.algorithm));
  return new Promise<Solution | null>((resolve) => {
    let atWork = count;
    const giveUp = () => resolve(null);
    const oneLess = () => {
      atWork -= 1;
      if (atWork === 0) giveUp();
    };
    signal.addEventListener('abort', giveUp);
    workers.forEach((worker, counterStart) => {
      worker.onerror = oneLess;
      worker.onmessage = ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
        if (data && 'counter' in data) resolve(data);
        else oneLess();
      };
      const share = { counterStart, counterStep: count, counterMode: 'uint32' };
      worker.postMessage({ type: 'work', challenge, timeout: TIMEOUT_MS, ...share });
    });
  }).finally(() => {
    for (const worker of workers) worker.terminate();
  });
}

// The bundler recognizes workers only in exactly this form.
const workerFor = (algorithm: string): Worker =>
  algorithm.startsWith('PBKDF2/')
    ? new Worker(new URL('altcha/workers/pbkdf2', import.meta.url))
    : new Worker(new URL('altcha/workers/sha', import.meta.url));
