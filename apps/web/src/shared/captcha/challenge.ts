/** An altcha v2 challenge, as far as the browser reads it. */
export interface Challenge {
  readonly parameters: {
    readonly algorithm: string;
    /** Epoch seconds. */
    readonly expiresAt?: number;
  };
  readonly signature?: string;
}

export interface Solution {
  readonly counter: number;
  readonly derivedKey: string;
}

export function isChallenge(answer: unknown): answer is Challenge {
  if (typeof answer !== 'object' || answer === null || !('parameters' in answer)) return false;
  const { parameters } = answer;
  return typeof parameters === 'object' && parameters !== null && 'algorithm' in parameters;
}

/** What the service verifies: the challenge, untouched, with its solution. */
export function payload({ parameters, signature }: Challenge, solution: Solution): string {
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}
