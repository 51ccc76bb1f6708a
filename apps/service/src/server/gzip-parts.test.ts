import { gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { gzipPart, joinedGzip } from './gzip-parts.ts';

const long = Array.from({ length: 20_000 }, (_, at) => `{"start":${at * 300}}`).join(',');

test('parts that were compressed alone unpack to the texts in their order', async () => {
  const [first, second] = [gzipPart(long), gzipPart('né à 8 h')];
  const joined = await joinedGzip(['[', first, ',', second, ',', first, ']']);
  expect(gunzipSync(joined).toString()).toBe(`[${long},né à 8 h,${long}]`);
});

test('they are one member, for browsers leave a second one out', async () => {
  const joined = await joinedGzip([gzipPart('one'), gzipPart('two')]);
  const lastBytes = joined.subarray(-8);
  expect(lastBytes.readUInt32LE(4)).toBe('onetwo'.length);
  expect(joined.indexOf(Buffer.from([0x1f, 0x8b]), 1)).toBe(-1);
});
