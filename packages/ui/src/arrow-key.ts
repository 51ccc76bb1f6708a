import type { KeyboardEvent } from 'react';

const MIRRORED: Readonly<Record<string, string>> = {
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
};

/** The pressed key for things in reading order: in a right-to-left page, left and right are swapped. */
export function keyInReadingOrder({ key }: KeyboardEvent): string {
  return document.documentElement.dir === 'rtl' ? (MIRRORED[key] ?? key) : key;
}
