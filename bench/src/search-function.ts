import { performance } from 'node:perf_hooks';

import { cellsOf, searchFree } from '@clinic/domain';

import { FREE, referenceWork, SEARCHED_AT, TEMPLATE } from '../reference-work.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

const ROUNDS = 200;

/** W as a function: the first search of a process and the later ones, each answer counted. */
export function measureSearchFunction(): Row[] {
  const rows = referenceWork().map(({ providerId, date, booked }) => ({
    doctor: providerId,
    date,
    template: TEMPLATE,
    busy: cellsOf(date, booked),
  }));
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const found = searchFree(rows, 'O', SEARCHED_AT);
    samples.push(performance.now() - began);
    const free = found.reduce((sum, { starts }) => sum + starts.length, 0);
    if (free !== FREE) throw new Error(`W has ${FREE} free slots, not ${free}`);
  }
  return [
    {
      name: 'search W as a function, cold',
      ours: figure('ms', samples.slice(0, 1)),
      limit: { what: 'aim', value: 20 },
      aim: 'under',
    },
    {
      name: 'search W as a function',
      ours: figure('ms', samples.slice(20)),
      limit: { what: 'aim', value: 2 },
      aim: 'under',
    },
  ];
}
