import { expect, test } from 'vitest';

import { testDatabase } from '../../../testing/test-database.ts';
import { openedRecords } from './patient-records.store.ts';

test('a record is asked for once while the EMR may still write it, and found by either number', async () => {
  const database = await testDatabase();
  const opened = openedRecords(database);
  try {
    expect(await opened.find('W1')).toBeNull();
    expect(await opened.ask('W1', 1_000, 400)).toBe(true);
    expect(await opened.ask('W1', 1_500, 900)).toBe(false);
    expect(await opened.find('W1')).toMatchObject({ emrId: null, askedAt: 1_000 });
    expect(await opened.ask('W1', 1_700, 1_100)).toBe(true);
    await opened.keep('W1', '4711');
    await opened.forget('W1');
    expect(await opened.named('4711')).toBe('W1');
    expect(await opened.ask('W1', 9_000, 8_000)).toBe(false);
    await opened.ask('W2', 9_000, 8_000);
    await opened.forget('W2');
    expect(await opened.find('W2')).toBeNull();
  } finally {
    await database.close();
  }
});
