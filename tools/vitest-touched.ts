import { Session } from 'node:inspector';

import { afterAll, expect } from 'vitest';

import { functionsRun, note } from './test-map.mjs';

// Notes of which files each test file ran a function.
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

afterAll(() => {
  const { testPath = '' } = expect.getState();
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    note(process.env.TEST_MAP ?? '', testPath, { functions: functionsRun(result) });
  });
  session.disconnect();
});
