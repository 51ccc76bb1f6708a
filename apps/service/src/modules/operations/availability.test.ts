import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Availability, availabilityWatch } from './availability.ts';

let found: Availability['kind'];
function answer(kind: Availability['kind']): Availability {
  if (kind === 'announced') return { kind, announcement: { since: 1, message: null } };
  return kind === 'bookingPaused' ? { kind, why: 'silent', asOf: 1 } : { kind };
}
let said: string[];
let looks: number;
let commit: () => void;
let watch: ReturnType<typeof availabilityWatch>;

beforeEach(() => {
  found = 'online';
  said = [];
  looks = 0;
  watch = availabilityWatch({
    look() {
      looks += 1;
      return Promise.resolve(answer(found));
    },
    isAnnounced: () => Promise.resolve(found === 'announced'),
    onCommit: (listener) => (commit = listener),
    tell: (event) => said.push(event),
    log: { error: (code) => said.push(code) },
  });
  watch.start();
});
afterEach(() => watch.stop());

const settled = () => new Promise((resolve) => setImmediate(resolve));
async function inTurn(times: number): Promise<void> {
  for (let each = 0; each < times; each += 1) await watch.look();
}

describe('The watch over availability (R-70)', () => {
  test('tells of an announcement with its commit, and of its end, once each', async () => {
    await settled();
    found = 'announced';
    commit();
    await settled();
    commit();
    await inTurn(4);
    found = 'online';
    commit();
    await inTurn(4);
    expect(said).toEqual(['oscarOffline', 'oscarOnline']);
  });

  test('does not ask the records after every commit', async () => {
    await settled();
    for (let commits = 0; commits < 10; commits++) {
      commit();
      await settled();
    }
    expect(looks).toBe(0);
  });

  test('lets the records miss two looks, whatever is committed meanwhile', async () => {
    await settled();
    found = 'recordsOffline';
    for (let commits = 0; commits < 10; commits++) commit();
    await inTurn(2);
    expect(said).toEqual([]);
    found = 'online';
    await inTurn(1);
    found = 'recordsOffline';
    await inTurn(2);
    expect(said).toEqual([]);
  });

  // Shows: R-70
  test('tells that the records are gone at the third look, and at once that they are back', async () => {
    await settled();
    found = 'recordsOffline';
    await inTurn(3);
    expect(said).toEqual(['oscarOffline']);
    found = 'online';
    await inTurn(1);
    expect(said).toEqual(['oscarOffline', 'oscarOnline']);
  });

  test('tells once that booking is paused, and that it goes on', async () => {
    await settled();
    found = 'bookingPaused';
    await inTurn(4);
    expect(said).toEqual(['bookingPaused']);
    found = 'online';
    commit();
    await settled();
    expect(said).toEqual(['bookingPaused', 'oscarOnline']);
  });

  test('looks no more once the last patient has left', async () => {
    watch.stop();
    found = 'announced';
    commit();
    await inTurn(12);
    expect(said).toEqual([]);
  });
});
