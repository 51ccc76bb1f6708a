import type { KeyboardEvent } from 'react';

const MIRRORED: Readonly<Record<string, string>> = {
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
};

/** The key that was pressed, for what is ordered as the page reads: from the right, left goes on. */
export function keyInReadingOrder({ key }: KeyboardEvent): string {
  return document.documentElement.dir === 'rtl' ? (MIRRORED[key] ?? key) : key;
}
