import { dayTemplate } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSeed } from '../../../tools/test-seed.ts';
import { PATIENT_EVENTS } from '../src/database/changes.store.ts';
import { databaseOn } from '../src/database/db.ts';
import { openPostgres } from '../src/database/engine-postgres.ts';
import { aClinic, aPatientRow } from '../testing/a-clinic.ts';
import {
  type TestApp,
  signIn,
  testApp,
  testDatabaseUrl,
  unlimitedRates,
} from '../testing/index.ts';
import { LONG } from './every-call.ts';
import { haveHeard, openPage } from './open-pages.ts';
import { ACTS, type Act, MOST_DEVICES, PROVIDERS, Story, type Told } from './two-devices-story.ts';
import { patientWaits } from '../testing/patient-waits.ts';

/**
 * Stories of one patient on two or three devices. A device reads anew only what it is told of, as our app
 * does: after each step all devices must show what the service says, and no refusal may be untrue.
 */
const STORIES = 50;
const TIMES = LONG ? 10 : 1;
const STEPS = 14;
/** O in the morning; from noon on slots that serve V. */
const CODES = dayTemplate([
  { code: 'O', from: 8 * 12, to: 12 * 12 },
  { code: 'A', from: 12 * 12, to: 20 * 12 },
]);

let clinic: TestApp;
let told: Told;
beforeAll(async () => {
  const database = databaseOn(
    openPostgres({ url: await testDatabaseUrl(), poolSize: 8, waits: patientWaits }),
  );
  clinic = await testApp({ database, config: { rates: unlimitedRates() } });
  const providers = PROVIDERS.map((id) => ({ id, codes: CODES }));
  await aClinic(database, { providers, days: 40 });
  // Their work is done when a story says so.
  for (const job of ['lapsed-holds', 'payments', 'patients', 'slots', 'availability'])
    await clinic.app.stopJob(job);
  const url = await clinic.app.listen({ host: '127.0.0.1', port: 0 });
  told = { clinic, url, groups: 0, events: 0, heard: new Map() };
});
afterAll(async () => {
  await clinic.close();
});

const doing = fc.record({
  act: fc.oneof(
    ...Object.entries(ACTS).map(([act, weight]) => ({
      weight,
      arbitrary: fc.constant(act as Act),
    })),
  ),
  who: fc.nat({ max: MOST_DEVICES - 1 }),
  n: fc.nat({ max: 11 }),
});
/** Now and then two at once. */
const step = fc.tuple(doing, fc.option(doing, { freq: 3 }));

/** Tells so many stories; the first that fails is told with less and less. */
const tellStories = (told: Told, how: { seed?: number; endOnFailure?: boolean }) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      clinic.clock.set(NOW);
      const documents = { healthCardUploaded: true, pictureIdUploaded: true };
      const id = await aPatientRow(clinic.database, documents);
      const rivalId = await aPatientRow(clinic.database, documents);
      const rival = await openPage(told.url, await signIn(clinic, { id: rivalId }));
      const story = new Story(told, id, rival);
      await story.signIn();
      await story.signIn();
      await haveHeard(clinic, [rival]);
      rival.heard.clear();
      try {
        for (const each of steps) await story.tell(each);
      } finally {
        for (const { socket } of [...story.devices, rival]) socket.close();
      }
    }),
    { numRuns: STORIES, ...how },
  );

// Shows: S-2, S-12
test.each(Array.from({ length: TIMES }, (_, n) => n + 1))(
  'what one device does is on every other, and no refusal is untrue (%i)',
  async (time) => {
    await tellStories(told, { seed: testSeed() + time });
    const counts = [...told.heard].map(([name, times]) => `${times} ${name}`);
    const stories = time * STORIES;
    process.stdout.write(
      `devices: ${stories} stories, ${told.events} events; ${counts.join(', ')}\n`,
    );
    expect(told.events).toBeGreaterThan(stories * STEPS);
  },
);

test.each(PATIENT_EVENTS)('the stories notice when nobody is told of %s', async (event) => {
  const defect = { ...told, drops: event };
  await expect(tellStories(defect, { endOnFailure: true })).rejects.toThrow('Property failed');
});
