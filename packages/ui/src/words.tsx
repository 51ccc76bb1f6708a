import type { ClinicDate } from '@clinic/domain';
import { createContext, useContext, type ReactNode } from 'react';

/** What the controls themselves say; everything else is told to them where they stand. */
export interface UiWords {
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
  /** Beside the label of a field that may stay empty. */
  readonly optional: string;
  /** Before the words of an error, for who cannot see its colour. */
  readonly error: string;
  /** Heads the list of what is wrong with a form. */
  readonly errorSummary: string;
  readonly show: string;
  readonly hide: string;
  readonly charactersLeft: (left: number) => string;
  readonly charactersOver: (over: number) => string;
  readonly steps: string;
  readonly stepDone: string;
  readonly previousMonth: string;
  readonly nextMonth: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  /** January first. */
  readonly monthNames: () => readonly string[];
  /** As a date is written in the language. */
  readonly dateOrder: () => readonly ('day' | 'month' | 'year')[];
  /** 'December 2026', of one of its days. */
  readonly monthOf: (date: ClinicDate) => string;
  /** 'Tuesday'. */
  readonly weekdayOf: (date: ClinicDate) => string;
  /** 'Tuesday, December 15, 2026', as a screen reader says a day. */
  readonly fullDate: (date: ClinicDate) => string;
}

const Words = createContext<UiWords | null>(null);

/** Stands once around the app and gives its controls their words, in the reader's language. */
export function UiWordsProvider({ words, children }: { words: UiWords; children: ReactNode }) {
  return <Words value={words}>{children}</Words>;
}

export function useWords(): UiWords {
  const words = useContext(Words);
  if (words === null) throw new Error('A control stands outside of UiWordsProvider');
  return words;
}
