// Compiles the texts with plurals, which the build compiles for browsers.
import '@clinic/texts/catalogues';
import { configureGlobal } from 'fast-check';
import { afterAll, afterEach } from 'vitest';

import { testSeed } from './test-seed.ts';

configureGlobal({ seed: testSeed() });

// Fails a test that logs an error or a warning. Calls are collected and not thrown at once, because React and
// others catch what the console throws.
const logged: string[] = [];

for (const level of ['error', 'warn'] as const) {
  console[level] = (...parts: unknown[]) => {
    const stack = new Error(`console.${level}`).stack ?? '';
    logged.push(`console.${level}: ${parts.map(String).join(' ')}\n${stack}`);
  };
}

function failOnLogged() {
  if (logged.length === 0) return;
  throw new Error(`The test logged:\n${logged.splice(0).join('\n')}`);
}

afterEach(failOnLogged);
afterAll(failOnLogged);
