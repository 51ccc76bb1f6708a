import { createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { calls, deskCalls } from '@clinic/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../testing/index.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { readonly headers?: object; readonly content?: object }>;
  readonly requestBody?: { readonly content: object };
}

let clinic: TestApp;
let json: string;
let operations: Operation[];
beforeAll(async () => {
  clinic = await testApp({ config: { publicUrl: 'https://booking.clinic.example' } });
  const answer = await clinic.app.inject('/api/openapi.json');
  json = answer.body;
  const { paths } = answer.json<{ paths: Record<string, Record<string, Operation>> }>();
  operations = Object.values(paths).flatMap((methods) => Object.values(methods));
});
afterAll(() => clinic.close());

const operation = (id: string) => operations.find(({ operationId }) => operationId === id);

describe('The description of the calls', () => {
  test('has every registered call, the webhook and the probes, once each', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys({ ...calls, ...deskCalls }), 'stripeWebhook', 'healthz', 'readyz'].sort(),
    );
  });

  test('names the licence, and the cookie as it is set', async () => {
    const { info, components } = JSON.parse(json) as {
      readonly info: object;
      readonly components: object;
    };
    expect(info).toMatchObject({ license: { identifier: 'Apache-2.0' } });
    const named = (name: string) => ({ securitySchemes: { desk: { in: 'cookie', name } } });
    expect(components).toMatchObject(named('__Host-desk'));
    const plain = await testApp();
    const answer = await plain.app.inject('/api/openapi.json');
    await plain.close();
    expect(answer.json()).toMatchObject({ components: named('desk') });
  });

  test('breaks none of the rules that Redocly recommends', async () => {
    const problems = await lintDocument({
      document: makeDocumentFromString(json, 'openapi.json'),
      config: await createConfig({ extends: ['recommended'] }),
      externalRefResolver: {} as never,
    });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('says when to try again wherever one has to wait', () => {
    for (const { operationId, responses } of operations)
      for (const [status, { headers }] of Object.entries(responses))
        expect([operationId, status, headers !== undefined && 'retry-after' in headers]).toEqual([
          operationId,
          status,
          (status === '429' || status === '503') && operationId !== 'readyz',
        ]);
  });

  test('says which calls take a form with files, and which give a file', () => {
    expect(Object.keys(operation('uploadDocuments')?.requestBody?.content ?? {})).toEqual([
      'multipart/form-data',
    ]);
    expect(Object.keys(operation('startMessage')?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
    ]);
    expect(operation('exportData')?.responses['200']).toMatchObject({
      headers: { 'content-disposition': {} },
      content: { 'application/zip': {} },
    });
    expect(json).not.toContain('*/*');
  });

  test('is a page too, which shows each call and needs no script', async () => {
    const page = await clinic.app.inject('/api/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const { operationId } of operations) expect(page.body).toContain(`id="${operationId}"`);
    expect(page.body.match(/<script|<style|style=|\son\w+=/i)).toBeNull();
    const style = await clinic.app.inject('/api/docs/style.css');
    expect([style.statusCode, style.headers['content-type']]).toEqual([
      200,
      'text/css; charset=utf-8',
    ]);
  });
});
