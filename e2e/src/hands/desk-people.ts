import type { Page } from '@playwright/test';

import type { ClinicProcess } from '../clinic-process.ts';
import type { People } from './desk-acts.ts';

const STONE = '101';
/** A day of the doctor on which somebody without an account was booked, and which was closed since. */
const CLOSED_DAY = '2026-12-08';

/** Whom the stories are about; one of them had an appointment in time that is closed since. */
export async function peopleOf(page: Page, clinic: ClinicProcess): Promise<People> {
  const ask = async <T>(path: string, data: object): Promise<T> => {
    const headers = { origin: clinic.url, 'idempotency-key': crypto.randomUUID() };
    const answer = await page.request.post(`${clinic.url}/api/desk/${path}`, { headers, data });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { extras: T }).extras;
  };
  const ida = {
    firstName: 'Ida',
    lastName: 'Hart',
    birthDate: '1951-02-03',
    phone: '604-555-0177',
  };
  const { recordId } = await ask<{ recordId: string }>('patients', {
    requestId: crypto.randomUUID(),
    ...ida,
  });
  const start = Date.parse(`${CLOSED_DAY}T18:00:00Z`) / 1_000;
  await ask(`book/${recordId}`, {
    type: 'O',
    providerId: STONE,
    start,
    overrideReason: 'urgent',
  });
  const whole = { from: start - 3_600, to: start + 3_600 };
  const { id } = await ask<{ id: string }>('closings', { providerIds: [STONE], ...whole });
  await clinic.advance(120);
  return {
    patients: {
      'newcomer ari': { name: 'Newcomer, Ari', email: 'new1@practice.example' },
      'newcomer bea': { name: 'Newcomer, Bea', email: 'new2@practice.example' },
    },
    blocked: { words: 'newcomer cem', name: 'Cem Newcomer' },
    providerId: STONE,
    toCall: { id, patient: 'Hart, Ida' },
  };
}
