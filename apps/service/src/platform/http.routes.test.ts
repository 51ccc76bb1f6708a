import { afterEach, describe, expect, test } from 'vitest';
import { type TestApp, aClinic, testApp } from '../../testing/index.ts';

let clinic: TestApp;
afterEach(() => clinic.close());

describe('The service', () => {
  test('starts', async () => {
    clinic = await testApp();
    await aClinic(clinic);
    expect((await clinic.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  });
});
