import { describe, expect, it } from 'vitest';

import { dayTemplate, stepOfTime } from '../booking/day-template.ts';
import { SPECIFIED_CODES } from '../booking/specified-types.ts';
import { anAppointmentType } from '../testing/index.ts';
import { decide, elsewhere, hold, inWords, lapsed, slot, start } from '../testing/reservations.ts';
import type { Case, Facts } from '../testing/reservations.ts';
import type { ReservationPurpose } from './reservation.ts';

const HELD_PURPOSES = ['hold', 'book', 'pay'] as const satisfies ReservationPurpose[];
const QUARTER = 900;

/** An O appointment of so many minutes, with a fee where it is paid. */
const lasting = (minutes: number, purpose: ReservationPurpose = 'book') =>
  anAppointmentType({ minutes, chargeCents: purpose === 'pay' ? 20_000 : 0 });
const facts = (minutes: number, purpose: ReservationPurpose, over: Partial<Facts> = {}): Case => ({
  facts: { type: lasting(minutes, purpose), ...over },
});

/** How long the appointment is that was decided on, or why there is none. */
function lengthOf(purpose: ReservationPurpose, given: Case): number | string {
  const decision = decide(purpose, given);
  return decision.kind === 'grant' ? decision.end - start : inWords(decision);
}

describe('how long a reserved appointment is (R-8, R-90, R-91)', () => {
  // Shows
  it.each(HELD_PURPOSES)('%s: as long as its type, whatever end is sent', (purpose) => {
    for (const end of [start + 300, start + QUARTER, start + 7_200, start])
      expect(
        lengthOf(purpose, { ...facts(15, purpose), request: { slot: { ...slot, end } } }),
      ).toBe(QUARTER);
  });

  // Shows: R-91
  it.each(HELD_PURPOSES)('%s: only where the whole length is offered', (purpose) => {
    const until = (time: string) =>
      dayTemplate([{ from: stepOfTime('12:00'), to: stepOfTime(time), code: 'O' }]);
    const offered = (time: string) =>
      lengthOf(purpose, facts(15, purpose, { template: until(time) }));
    expect([offered('13:15'), offered('13:10')]).toEqual([QUARTER, 'slotNotOffered']);
  });

  // Shows: R-90
  it.each(HELD_PURPOSES)('%s: at the pace of the provider, who may not offer it', (purpose) => {
    const at = (pace: Facts['pace']) => lengthOf(purpose, facts(15, purpose, { pace }));
    expect(at({ offers: true, minutes: 20 })).toBe(1_200);
    expect(at({ offers: false, minutes: null })).toBe('slotNotOffered');
  });

  // Shows: R-92
  it.each(HELD_PURPOSES)('%s: not before its code is released', (purpose) => {
    const codes = SPECIFIED_CODES.map((code) => ({ ...code, release: 'sameDay' as const }));
    expect(lengthOf(purpose, facts(5, purpose, { codes }))).toBe('slotNotOffered');
    const now = start - 3_600;
    expect(lengthOf(purpose, facts(5, purpose, { codes, now }))).toBe(300);
  });

  // Shows
  it.each(HELD_PURPOSES)(
    '%s: a standing hold keeps its end, whatever became of type, template and pace',
    (purpose) => {
      const own = [hold({ end: start + QUARTER })];
      expect(lengthOf(purpose, facts(25, purpose, { ownAppointments: own }))).toBe(QUARTER);
      expect(
        lengthOf(purpose, facts(15, purpose, { ownAppointments: own, template: dayTemplate([]) })),
      ).toBe(QUARTER);
      const pace = { offers: false, minutes: null };
      expect(lengthOf(purpose, facts(15, purpose, { ownAppointments: own, pace }))).toBe(QUARTER);
    },
  );

  // Shows: R-91
  it('a hold that lapsed, or of another type, gives way where the length is another', () => {
    const said = (own: Facts['ownAppointments']) =>
      inWords(decide('hold', facts(15, 'hold', { ownAppointments: own })));
    expect(said([hold({ ...lapsed })])).toMatch(/^take, replaces the-hold/);
    expect(said([hold({ ...lapsed, end: start + QUARTER })])).toMatch(/^renew the-hold/);
    expect(said([hold({ type: 'D' })])).toMatch(/^take, replaces the-hold/);
    expect(said([hold({ ...elsewhere })])).toMatch(/^take, replaces the-hold/);
  });

  // Shows: R-95
  it('the same request again answers the same, whatever end it sends', () => {
    const made = hold({ state: 'booked', requestKey: 'sent:one', end: start + QUARTER });
    expect(inWords(decide('book', facts(25, 'book', { ownAppointments: [made] })))).toBe(
      'repeat the-hold',
    );
  });
});
