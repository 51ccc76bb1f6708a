import { readFileSync } from 'node:fs';
import { routes } from '@clinic/contract';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

const checkedIn = new URL('../../../docs/openapi.json', import.meta.url);

test('docs/openapi.json is what the contract says now (npm run gen:openapi writes it)', () => {
  expect(JSON.parse(readFileSync(checkedIn, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(openApiDocument())),
  );
});

test('The document has every registered call once', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> };
  const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
  expect(operations).toHaveLength(Object.keys(routes).length);
});
