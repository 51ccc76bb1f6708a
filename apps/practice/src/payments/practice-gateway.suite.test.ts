import { testDatabase } from '@clinic/service/testing/test-database.ts';
import { SUITE_NOW, paymentPromises } from '@clinic/service/testing/payments.suite.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { createPracticeGateway } from './practice-gateway.ts';

paymentPromises('the practice gateway', async (faults) => {
  const database = await testDatabase();
  const gateway = createPracticeGateway({
    database,
    clock: { now: () => SUITE_NOW },
    ids: randomIds,
    secret: 'practice-secret',
    publicUrl: 'http://127.0.0.1:3000',
    faults,
  });
  return {
    gateway,
    cards: {
      succeeds: 'pm_practice_succeeds_1',
      needsBank: 'pm_practice_needsBank_1',
      declined: 'pm_practice_declined_1',
      insufficient: 'pm_practice_insufficient_1',
      expired: 'pm_practice_expired_1',
    },
    decide: async (intent, approved) => {
      await gateway.decide(intent, approved);
    },
    signedEvents: () => gateway.signedEvents(),
    runStalled: () => gateway.runStalled(),
    close: () => database.close(),
  };
});
