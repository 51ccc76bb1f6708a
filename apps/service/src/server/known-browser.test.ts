import { expect, test } from 'vitest';
import { newKeyMaterial } from '../security/keyring-file.ts';
import { createKeyring } from '../security/keyring.ts';
import { isOurDeviceToken, newDeviceToken } from '../security/known-devices.store.ts';
import { fromOf, networkOf } from './known-browser.ts';
import { randomIds } from './ports.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:22ff::1', '2001:db8:1:2200::/56'],
  ['2001:0DB8:0001:2201:3:4:5:6', '2001:db8:1:2200::/56'],
  ['2001:db8::7', '2001:db8:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/56'],
  ['unknown', 'unknown'],
  ['', ''],
])('the network of %j is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

// Shows: S-5
test('a token of ours is told from every other, also once its key is an older one', () => {
  const material = newKeyMaterial();
  const keyring = createKeyring(material);
  const token = newDeviceToken(keyring, randomIds);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(newDeviceToken(keyring, randomIds)).not.toBe(token);
  expect(isOurDeviceToken(keyring, token)).toBe(true);
  const { current, keys } = newKeyMaterial();
  const rotated = {
    current: 'next',
    index: 'next',
    keys: { ...material.keys, next: keys[current] ?? '' },
  };
  expect(isOurDeviceToken(createKeyring(rotated), token)).toBe(true);
  const others = [
    randomIds.token(),
    '',
    `${token.slice(0, 20)}A${token.slice(21)}`,
    token.slice(1),
  ];
  expect(others.map((each) => isOurDeviceToken(keyring, each))).toEqual(others.map(() => false));
  expect(isOurDeviceToken(createKeyring(newKeyMaterial()), token)).toBe(false);
});

test('A browser whose cookie is invented is counted by its network', () => {
  const material = newKeyMaterial();
  const parts = {
    config: { publicUrl: 'http://127.0.0.1:3000' },
    keyring: createKeyring(material),
  };
  const from = (token: string) =>
    fromOf(parts as never, { address: '203.0.113.7', cookies: `device=${token}` }).isOurs;
  expect(from(newDeviceToken(parts.keyring, randomIds))).toBe(true);
  expect(from(randomIds.token())).toBe(false);
});
