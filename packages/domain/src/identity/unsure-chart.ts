/** Why staff have to say which chart of the EMR is a patient's. */
export const UNSURE_CHARTS = [
  /** Several charts may be theirs. */
  'several',
  'deceased',
  'inactive',
  /** The one chart that may be theirs is another account's. */
  'ofAnother',
  /** One chart is much like them, and that is not enough. */
  'alike',
  /** No chart is like them, and the EMR would cut their name. */
  'longName',
  /** Staff merged the chart that they have into another account's. They can book all the same. */
  'merged',
] as const;
export type UnsureChart = (typeof UNSURE_CHARTS)[number];

interface LikelyChart {
  readonly state: 'active' | 'inactive' | 'deceased';
  readonly isOfAnother: boolean;
}

/** Why it is not sure which of these charts, all that may be theirs, is a patient's. */
export function whyUnsure([one, ...more]: readonly LikelyChart[]): UnsureChart {
  if (one === undefined) return 'longName';
  if (more.length > 0) return 'several';
  if (one.isOfAnother) return 'ofAnother';
  return one.state === 'active' ? 'alike' : one.state;
}
