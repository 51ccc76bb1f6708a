import type { Place } from './places.ts';
import { type TwoPatients, idsOf } from './two-patients.ts';

/** What a text in a request may stand for, and what happens when it is the other patient's. */
export type PlaceRule =
  /** Names a thing of a patient: the other's is refused exactly as an unknown one is. */
  | {
      readonly kind: 'owned';
      readonly others: (clinic: TwoPatients) => readonly string[];
      readonly unknown: string;
      readonly status: number;
      /** Null where the answer is no refusal, and says nothing of either. */
      readonly code: string | null;
    }
  /** Names something of the clinic's, which belongs to no patient. */
  | { readonly kind: 'not owned'; readonly what: string }
  /** Taken, but the server decides, or it counts among the asker's own things only. */
  | {
      readonly kind: 'not believed';
      readonly others: (clinic: TwoPatients) => readonly string[];
      readonly because: string;
    }
  /** Names nothing. */
  | { readonly kind: 'words'; readonly what: string };

export type MatrixRow = Readonly<Record<Place, PlaceRule>>;

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export const owned = (over: Partial<Extract<PlaceRule, { kind: 'owned' }>> = {}): PlaceRule => ({
  kind: 'owned',
  others: ({ other }) => idsOf(other),
  unknown: UNKNOWN_ID,
  status: 404,
  code: 'notFound',
  ...over,
});
export const notOwned = (what: string): PlaceRule => ({ kind: 'not owned', what });
export const words = (what: string): PlaceRule => ({ kind: 'words', what });
export const notBelieved = (
  because: string,
  others: (clinic: TwoPatients) => readonly string[] = ({ other }) => idsOf(other),
): PlaceRule => ({ kind: 'not believed', because, others });
