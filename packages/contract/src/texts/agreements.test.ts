import { describe, expect, test } from 'vitest';
import { agreementSource, agreements, currentAgreement, shownAgreement } from './agreements.ts';

describe('The texts that patients agree to (R-36)', () => {
  // Shows: 2.immigration.2
  test.each(agreements)('$kind $version has the hash of its words', async (agreement) => {
    const words = new TextEncoder().encode(agreementSource(agreement));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', words));
    const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    expect(agreement.hash).toBe(hex);
  });

  test('no version of a kind stands twice', () => {
    const names = agreements.map(({ kind, version }) => `${kind} ${version}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(['feeWarning', 'icbc', 'general', 'signUp'] as const)(
    'the current %s is its newest, and a draft for counsel',
    (kind) => {
      const current = currentAgreement(kind);
      expect(current).toBe(agreements.find((each) => each.kind === kind));
      expect(current.draft).toBe(true);
    },
  );

  const kinds = ['feeWarning', 'icbc', 'general', 'signUp'] as const;

  test('names the clinic and the amounts, whatever signs they hold', () => {
    const values = { clinicName: '$& {Clinic}', fee: '$200.00', bookingFee: '$10.00' };
    const shown = kinds.flatMap((kind) => shownAgreement('en', kind, values).paragraphs).join('\n');
    expect(shown).toContain('The fee for this appointment is $200.00.');
    expect(shown).toContain('The ordinary booking fee is $10.00.');
    expect(shown).toContain('$& {Clinic} sends the record');
    expect(shown.replaceAll('{Clinic}', '')).not.toMatch(/\{\w+\}/);
  });

  test('leaves what it has no value for as it stands', () => {
    const { paragraphs } = shownAgreement('en', 'feeWarning', { clinicName: 'Clinic' });
    expect(paragraphs[0]).toContain('{fee}');
  });

  test.each(kinds)('the English %s is shown as it is hashed', (kind) => {
    const { title, paragraphs } = shownAgreement('en', kind);
    expect([title, ...paragraphs].join('\n\n')).toBe(agreementSource(currentAgreement(kind)));
  });

  // Shows: 2.immigration.2
  test('the policy of §9 is agreed to before every booking', () => {
    const words = agreementSource(currentAgreement('general'));
    expect(words).toContain('Fees are non-refundable.');
    expect(words).toContain('rescheduled only through this website');
    expect(words).toContain('No-shows are not rescheduled');
    expect(words).toContain('driver medical that is booked at the wrong time costs $250.00');
    expect(words).toContain('arrive 15 minutes early');
  });
});
