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
