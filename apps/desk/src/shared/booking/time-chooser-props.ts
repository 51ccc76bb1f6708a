import type { ApiBookingOptions } from '@clinic/contract';
import type { ClinicDate, OverrideReason } from '@clinic/domain';
import type { ReactNode } from 'react';
import type { Place, Placed } from './booking-data.ts';

/** What is chosen at first. */
export interface Beginning {
  readonly providerId: string;
  /** The day from which times are shown, and on that day the first that is. */
  readonly from?: ClinicDate;
  readonly notBefore?: number;
  /** The reason that is proposed where a rule is to be overridden. */
  readonly reason?: OverrideReason;
}

export interface TimeChooserProps {
  /** The id of an account, or the number of a record without one. */
  person: string;
  /** Undefined while it is not known yet. */
  type: string | undefined;
  providers: ApiBookingOptions['providers'];
  purpose: 'book' | 'move';
  /** Whom it books for or what it moves: the name under which the key of a lost answer is kept. */
  keptAs: string;
  /** Further choices that make a new request, such as how the fee is paid. */
  how?: string;
  /** Books or moves; repeated with the same key, it does so only once. */
  onPlace: (place: Place, key: string) => Promise<Placed>;
  onPlaced: (placed: Placed) => void;
  /** A time chosen beforehand, which is asked about at once. */
  chosen?: Place | undefined;
  begins?: Beginning | undefined;
  /** What the summary says beside time, provider and length. */
  facts: readonly (readonly [name: string, value: string])[];
  /** What a press on a walk-in's time books. */
  walkIn?: string;
  /** The button of the summary. */
  does: string;
  /** Choices to make in the summary. */
  choices?: ReactNode;
  /** Fields to show before the provider's. */
  children?: ReactNode;
}
