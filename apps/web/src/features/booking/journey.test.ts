import fc from 'fast-check';
import type { AppointmentForm } from '@clinic/domain';
import { expect, test } from 'vitest';
import {
  STEPS,
  NEW_JOURNEY,
  nextJourney,
  searchOf,
  slotOf,
  type Journey,
  type JourneyEvent,
} from './journey.ts';
import { apiAnswers } from './confirm/answers.ts';

const slot = { doctor: '101', start: 1_800_000_000, end: 1_800_000_300 };
const search = { type: 'O', doctor: 'earliest', date: '2026-12-01' } as const;
const booked = {
  bookingNumber: 'AB12',
  appointment: null,
  type: 'O',
  slot,
  outcome: 'booked',
  oldAppointmentStands: false,
} as const;
const rescheduleOf = { appointmentId: 'a0', type: 'V' } as const;
const move: JourneyEvent = {
  type: 'start',
  at: { step: 'schedule', search: { type: 'V', doctor: null, date: null }, rescheduleOf },
};

const choose: JourneyEvent = { type: 'choose', search };
const toSlots: JourneyEvent = { type: 'search', firstDay: '2026-12-01' };
const pick: JourneyEvent = { type: 'pick', slot, form: 'standard', requestKey: 'key-1' };
const pickAs = (form: AppointmentForm): JourneyEvent => ({ ...pick, form });
const back: JourneyEvent = { type: 'back' };

/** The answer to the reason question of the chosen type. */
function reasonOf({ draft, answers }: Journey): string {
  return apiAnswers(answers, 'form' in draft ? draft.form : 'standard').reason;
}

/** One of each event, and those variants that a guard tells apart. */
const events: JourneyEvent[] = [
  choose,
  { type: 'choose', search: { type: 'F', doctor: null, date: null } },
  { type: 'choose', search: { type: 'O', doctor: null, date: null } },
  toSlots,
  { type: 'show', day: '2026-12-04' },
  pick,
  { type: 'answer', reason: 'a cough' },
  { type: 'tellOfCrash', crash: { symptom: 'Neck pain' } },
  { type: 'slotLost', message: 'Taken.' },
  { type: 'acceptFee' },
  { type: 'pay', chargeCents: 15_000 },
  { type: 'priced', chargeCents: 9_000 },
  { type: 'booked', booked },
  back,
  {
    type: 'resume',
    held: {
      search,
      slot,
      form: 'standard',
      requestKey: 'key-2',
      answers: { reason: 'from the draft' },
      rescheduleOf: null,
    },
  },
  move,
  { type: 'return', at: { step: 'displaySchedule', search, rescheduleOf: null } },
  { type: 'return', at: { step: 'confirm', search, rescheduleOf: null } },
  { type: 'reset' },
];

function journey(...sent: JourneyEvent[]): Journey {
  return sent.reduce(nextJourney, NEW_JOURNEY);
}

// Shows: 4.flow.1
test('the journey has the five states of the specification and no other', () => {
  expect(STEPS).toEqual(['schedule', 'displaySchedule', 'confirm', 'payment', 'booked']);
});

// Shows: 4.flow.1
test('an appointment without a fee goes from type over slot and confirm to booked', () => {
  const sent: JourneyEvent[] = [choose, toSlots, pick, { type: 'booked', booked } as const];
  const seen = sent.map((_, last) => journey(...sent.slice(0, last + 1)).draft.step);
  expect(seen).toEqual(['schedule', 'displaySchedule', 'confirm', 'booked']);
});

// Shows: 4.flow.1
test('an appointment with a fee passes payment', () => {
  const paying = journey(choose, toSlots, pick, { type: 'pay', chargeCents: 15_000 });
  expect(paying.draft.step).toBe('payment');
  expect(paying.draft).toMatchObject({ chargeCents: 15_000, slot });
});

test('a fee accepted once stays so on the way to payment and back, and for another time', () => {
  const accepted = journey(choose, toSlots, pick, { type: 'acceptFee' });
  const paying: JourneyEvent = { type: 'pay', chargeCents: 15_000 };
  const walks: JourneyEvent[][] = [[paying], [paying, back], [back, pick], [back, back, toSlots]];
  for (const walk of walks) {
    const there = walk.reduce(nextJourney, accepted);
    expect(there.feeAccepted).toBe(true);
  }
});

test('a fee accepted for one type, one price or one journey is accepted for no other', () => {
  const accepted: JourneyEvent[] = [choose, toSlots, pick, { type: 'acceptFee' }];
  const otherType: JourneyEvent = { type: 'choose', search: { ...search, type: 'V' } };
  const otherPrice: JourneyEvent[] = [
    { type: 'pay', chargeCents: 15_000 },
    { type: 'priced', chargeCents: 20_000 },
  ];
  expect(journey(...accepted, back, back, otherType).feeAccepted).toBe(false);
  expect(journey(...accepted, ...otherPrice).feeAccepted).toBe(false);
  expect(journey(...accepted, { type: 'booked', booked }).feeAccepted).toBe(false);
  expect(journey(...accepted, { type: 'reset' }).feeAccepted).toBe(false);
});

test('an answer that comes after the patient has gone back still shows what was booked', () => {
  for (const gone of [[back], [back, back], [{ type: 'reset' } as const]]) {
    const shown = journey(choose, toSlots, pick, ...gone, { type: 'booked', booked });
    expect(shown.draft).toEqual({ step: 'booked', booked });
  }
});

test('another price is paid for the same slot; nowhere else does it count', () => {
  const paying = journey(choose, toSlots, pick, { type: 'pay', chargeCents: 15_000 });
  const priced: JourneyEvent = { type: 'priced', chargeCents: 20_000 };
  expect(nextJourney(paying, priced).draft).toMatchObject({
    step: 'payment',
    chargeCents: 20_000,
    slot,
  });
  expect(journey(choose, toSlots, pick, priced).draft.step).toBe('confirm');
});

test('a slot lost while paying leads back to the same days, and the answers are kept', () => {
  const lost = journey(
    choose,
    toSlots,
    pick,
    { type: 'answer', reason: 'a cough' },
    { type: 'pay', chargeCents: 15_000 },
    { type: 'slotLost', message: 'No longer held.' },
  );
  expect(lost).toMatchObject({
    draft: { step: 'displaySchedule', shown: '2026-12-01' },
    notice: 'No longer held.',
  });
  expect(reasonOf(nextJourney(lost, pick))).toBe('a cough');
});

// Shows: 4.flow.2
test('Back leads from payment over confirm and the slots to the types', () => {
  const paying: JourneyEvent[] = [choose, toSlots, pick, { type: 'pay', chargeCents: 100 }];
  expect(journey(...paying, back).draft.step).toBe('confirm');
  expect(journey(...paying, back, back).draft.step).toBe('displaySchedule');
  expect(journey(...paying, back, back, back).draft.step).toBe('schedule');
});

test('Back from the slots keeps the type, the doctor and the day', () => {
  expect(searchOf(journey(choose, toSlots, back).draft)).toEqual(search);
});

test('Back from confirm shows the same days again', () => {
  const again = journey(choose, toSlots, { type: 'show', day: '2026-12-06' }, pick, back);
  expect(again.draft).toMatchObject({ step: 'displaySchedule', shown: '2026-12-06' });
});

test('a search without a day starts on the first open one', () => {
  const found = journey({ type: 'choose', search: { ...search, date: null } }, toSlots);
  expect(searchOf(found.draft)?.date).toBe('2026-12-01');
});

test('there is no search without a type, without a doctor, or for a medication refill', () => {
  for (const missing of [{ type: null }, { doctor: null }, { type: 'F' as const }])
    expect(journey({ type: 'choose', search: { ...search, ...missing } }, toSlots).draft.step).toBe(
      'schedule',
    );
});

test('a slot lost on confirm leads back to the same days with its message and keeps the answers', () => {
  const lost = journey(
    choose,
    toSlots,
    pick,
    { type: 'answer', reason: 'a cough' },
    { type: 'slotLost', message: 'Someone else just took this time.' },
  );
  expect(lost.draft.step).toBe('displaySchedule');
  expect(lost.notice).toBe('Someone else just took this time.');
  const other = { ...slot, start: slot.start + 600, end: slot.end + 600 };
  const repicked = nextJourney(lost, {
    type: 'pick',
    slot: other,
    form: 'standard',
    requestKey: 'key-9',
  });
  expect(reasonOf(repicked)).toBe('a cough');
  expect(repicked.notice).toBeNull();
  expect(repicked.draft).toMatchObject({ slot: other, requestKey: 'key-9' });
});

test('an answer survives a detour over another type, and each question has its own', () => {
  const asLicence = journey(
    choose,
    toSlots,
    pick,
    { type: 'answer', reason: 'a cough' },
    back,
    back,
    { type: 'choose', search: { ...search, type: 'D' } },
    toSlots,
    pickAs('driverMedical'),
  );
  expect(reasonOf(asLicence)).toBe('');
  const asPhone = [back, back, { type: 'choose', search: { ...search, type: 'P' } } as const];
  expect(reasonOf(asPhone.reduce(nextJourney, asLicence))).toBe('a cough');
});

test('a held slot with its draft resumes on confirm, with the answers', () => {
  const resumed = journey({
    type: 'resume',
    held: {
      search,
      slot,
      form: 'standard',
      requestKey: 'hold-1',
      answers: { reason: 'a cough' },
      rescheduleOf: null,
    },
  });
  expect(resumed.draft.step).toBe('confirm');
  expect(slotOf(resumed.draft)).toEqual(slot);
  expect(reasonOf(resumed)).toBe('a cough');
});

test('what is told of a crash is kept over another type, and comes back with its draft', () => {
  const injury = { ...search, type: 'I' } as const;
  const told = journey(
    { type: 'choose', search: injury },
    toSlots,
    pickAs('injuryClaim'),
    { type: 'tellOfCrash', crash: { crashYear: 2026, symptom: 'Neck pain' } },
    { type: 'tellOfCrash', crash: { takesMedication: true, medication: 'No' } },
    back,
    back,
    choose,
    toSlots,
    pick,
  );
  expect(apiAnswers(told.answers, 'standard')).toEqual({ reason: '' });
  const kept = apiAnswers(told.answers, 'injuryClaim');
  // Two letters of a longer word are not the answer 'No'.
  expect(kept).toMatchObject({ crashYear: 2026, symptom: 'Neck pain', medicationTaken: 'No ' });
  const held = {
    search: injury,
    slot,
    form: 'injuryClaim' as const,
    requestKey: 'hold-1',
    answers: kept,
    rescheduleOf: null,
  };
  const resumed = journey({ type: 'resume', held });
  expect(apiAnswers(resumed.answers, 'injuryClaim')).toEqual(kept);
});

// Shows: R-51
test('moving an appointment presets its type and locks it', () => {
  const moving = journey(move);
  expect(searchOf(moving.draft)?.type).toBe('V');
  const tried = nextJourney(moving, choose);
  expect(searchOf(tried.draft)?.type).toBe('V');
  const finished = journey(
    move,
    { type: 'choose', search: { ...search, type: 'V' } },
    toSlots,
    pick,
    { type: 'booked', booked: { ...booked, outcome: 'rescheduled' } },
  );
  expect(finished.rescheduleOf).toBeNull();
});

// Shows: 4.flow.2
test('a reset forgets the choices, the answers and the appointment that was being moved', () => {
  const moving = journey(move, { type: 'reset' });
  expect(moving).toEqual(journey());
  const answered = journey(
    choose,
    toSlots,
    pick,
    { type: 'answer', reason: 'x' },
    { type: 'reset' },
  );
  expect(answered).toEqual(journey());
});

test('every state that can be reached has a way out, and its draft is of the same step', () => {
  const seen = new Map<string, Journey>();
  const open = [journey()];
  for (let now = open.pop(); now; now = open.pop()) {
    const key = JSON.stringify(now);
    if (seen.has(key)) continue;
    seen.set(key, now);
    const nexts = events.map((event) => nextJourney(now, event));
    expect(nexts.at(-1)?.draft.step).toBe('schedule');
    expect(new Set(nexts.map(({ draft }) => draft.step)).size).toBeGreaterThan(
      now.draft.step === 'booked' ? 1 : 0,
    );
    open.push(...nexts);
  }
  const values = new Set([...seen.values()].map(({ draft }) => draft.step));
  expect(values).toEqual(new Set(['schedule', 'displaySchedule', 'confirm', 'payment', 'booked']));
});

test('no walk through the journey loses an answer but by booking, a reset or a new target', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (walk) => {
      let now = journey();
      for (const event of walk) {
        const next = nextJourney(now, event);
        const mayForget = ['booked', 'reset', 'start', 'resume', 'answer', 'tellOfCrash'];
        if (!mayForget.includes(event.type)) expect(next.answers).toEqual(now.answers);
        now = next;
      }
    }),
  );
});
