import type { ClinicDate } from '@clinic/domain';
import { createContext, useContext, useLayoutEffect, type ReactNode } from 'react';
import { guardPresses } from './presses.ts';

/** The words of the controls themselves. Callers pass all others as props. */
export interface UiWords {
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
  /** Beside the label of a field that may stay empty. */
  readonly optional: string;
  /** Before an error's text, for users who cannot see its colour. */
  readonly error: string;
  /** The heading of the list of errors in a form. */
  readonly errorSummary: string;
  readonly show: string;
  readonly hide: string;
  readonly charactersLeft: (left: number) => string;
  readonly charactersOver: (over: number) => string;
  readonly steps: string;
  readonly stepDone: string;
  /** Where a form and somebody else have changed the same fields. */
  readonly chooseOne: string;
  readonly chooseFirst: string;
  readonly savedNow: (label: string) => string;
  readonly takeSaved: string;
  readonly keepMine: string;
  readonly previousMonth: string;
  readonly nextMonth: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  /** January first. */
  readonly monthNames: () => readonly string[];
  /** The order in which the language writes a date. */
  readonly dateOrder: () => readonly ('day' | 'month' | 'year')[];
  /** 'December 2026', for one of its days. */
  readonly monthOf: (date: ClinicDate) => string;
  /** 'Tuesday'. */
  readonly weekdayOf: (date: ClinicDate) => string;
  /** 'Tuesday, December 15, 2026', as screen readers say a day. */
  readonly fullDate: (date: ClinicDate) => string;
}

const Words = createContext<UiWords | null>(null);

/**
 * Gives all controls inside their words, in the reader's language, and guards the presses of the page. An app has one,
 * at its root.
 */
export function UiWordsProvider({ words, children }: { words: UiWords; children: ReactNode }) {
  // The document hears a press before React does, from the first screen on.
  useLayoutEffect(guardPresses, []);
  return <Words value={words}>{children}</Words>;
}

export function useWords(): UiWords {
  const words = useContext(Words);
  if (words === null) throw new Error('A control stands outside of UiWordsProvider');
  return words;
}
