import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RELEASE } from './release.ts';

test('The version that the service tells is that of package.json', () => {
  const project = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(project)).toHaveProperty('version', RELEASE);
});
