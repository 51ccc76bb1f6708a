import { expect, test } from 'vitest';
import { NOW } from '../testing/index.ts';
import { confirmingUntil } from './appointment.ts';

// Shows: R-94
test('the clinic is confirming an appointment for 30 minutes, and not beyond its start', () => {
  expect(confirmingUntil({ changedAt: NOW, start: NOW + 7200 })).toBe(NOW + 1800);
  expect(confirmingUntil({ changedAt: NOW, start: NOW + 900 })).toBe(NOW + 900);
});
