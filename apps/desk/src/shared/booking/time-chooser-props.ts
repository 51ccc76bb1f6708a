import type { ApiBookingOptions } from '@clinic/contract';
import type { ReactNode, Ref } from 'react';
import type { Place, Placed } from './booking-data.ts';

export interface TimeChooserProps {
  /** The id of an account, or the number of a record without one. */
  person: string;
  type: string;
  providers: ApiBookingOptions['providers'];
  purpose: 'book' | 'move';
  /** Whom it books for or what it moves: the name under which the key of a lost answer is kept. */
  keptAs: string;
  /** Further choices that make a new request, such as how the fee is paid. */
  how?: string;
  /** Books or moves; repeated with the same key, it does so only once. */
  onPlace: (place: Place, key: string) => Promise<Placed>;
  onPlaced: (placed: Placed) => void;
  /** A time chosen beforehand; pressing its button moves the appointment there. */
  chosen?: Place | undefined;
  /** For the first time, or the one chosen beforehand: it takes the focus as the dialog opens. */
  comeIn: Ref<HTMLButtonElement>;
  /** Fields to show before the provider's. */
  children?: ReactNode;
}
