import { afterAll, describe, onTestFinished } from 'vitest';

import { fakeOscarCredentials, startFakeOscar } from '@clinic/practice/emr/fake-oscar.ts';

import { anyOscar, openAnyOscar } from '../../testing/any-oscar.ts';
import { emrSuite } from '../../testing/emr.suite.ts';

/** What `npm run oscar:suite` was told; else a stand-in in a process of its own. */
const { OSCAR_SUITE } = process.env;
const TODAY = '2026-11-23';

async function standIn() {
  const { base, stop } = await startFakeOscar(TODAY);
  afterAll(stop);
  return { base, credentials: fakeOscarCredentials, patient: '1', today: TODAY };
}

const told: unknown = OSCAR_SUITE === undefined ? await standIn() : JSON.parse(OSCAR_SUITE);
const oscar = await openAnyOscar(anyOscar.parse(told));

describe(`OSCAR at ${oscar.hour}`, () => {
  emrSuite(
    () => {
      onTestFinished(() => oscar.tidy());
      return oscar.open();
    },
    { numberOf: oscar.numberOf, newcomer: oscar.newcomer, isFilled: false },
  );
});
