/** What one question of `emr check` finds. */
export interface Finding {
  readonly what: string;
  readonly state: 'right' | 'look' | 'wrong';
  readonly says: string;
  /** What to do about it, in one sentence without its full stop; whatever is wrong has one. */
  readonly cure?: string | undefined;
}

/** A finding without its subject. */
export type Found = Omit<Finding, 'what'>;

export const right = (says: string): Found => ({ state: 'right', says });
export const lookAt = (says: string, cure?: string): Found => ({ state: 'look', says, cure });
export const wrong = (says: string, cure: string): Found => ({ state: 'wrong', says, cure });
