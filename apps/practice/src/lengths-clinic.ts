import {
  ELIGIBILITIES,
  STEP_SECONDS,
  type KeptType,
  type SlotCodeRules,
  addDays,
  addStep,
  dayRuler,
  dayTemplate,
  keptBack,
  servedMinutes,
  starts,
  stepOfTime,
  stepStart,
  stretchesOf,
  toClinic,
} from '@clinic/domain';
import { mulberry32, otherRecords, type SeededAppointment } from './appointments.ts';
import type { ClinicSeed } from './clinic-seed.ts';

/** A family practice with appointments of 10, 15, 20 and 40 minutes, same-day hours and two paces. */

const type = (
  code: string,
  description: string,
  minutes: number,
  over: Partial<KeptType> = {},
): KeptType => ({
  code,
  description,
  minutes,
  startEvery: null,
  mode: 'inPerson',
  form: 'standard',
  instruction: 'comeToClinic',
  enforceMrp: false,
  enforceNoPcp: false,
  requiresDocuments: false,
  insured: true,
  isPrivate: false,
  byNursePractitioners: true,
  resetsDoctor: false,
  ...over,
});

const TYPES: readonly KeptType[] = [
  type('O', 'Office visit', 15),
  type('P', 'Phone appointment', 10, { mode: 'phone', instruction: 'providerWillCall' }),
  type('W', 'Well-baby or prenatal visit', 20),
  type('H', 'Complete physical exam', 40, { byNursePractitioners: false }),
  type('T', 'Travel consultation', 20, { insured: false, isPrivate: true }),
];
const TRAVEL_CENTS = 6_000;

const code = (
  character: string,
  description: string,
  over: Partial<SlotCodeRules>,
): SlotCodeRules => ({
  code: character,
  description,
  types: [],
  minutes: null,
  release: 'always',
  releaseAt: '00:00',
  ...over,
});

const CODES: readonly SlotCodeRules[] = [
  code('O', 'Office hours', { types: ['O', 'W', 'H', 'T'] }),
  code('P', 'Phone hours', { types: ['P'] }),
  code('S', 'Same day', { types: ['O', 'P'], minutes: 10, release: 'sameDay', releaseAt: '07:00' }),
];

const PROVIDERS = [
  { id: '101', firstName: 'Amelia', lastName: 'Stone', status: '1' },
  { id: '102', firstName: 'Rahul', lastName: 'Mehta', status: '1' },
  { id: '106', firstName: 'Jordan NP', lastName: 'Avery', status: '1' },
];

const PACES = [
  { providerId: '102', type: 'O', offers: true, minutes: 20 },
  { providerId: '106', type: 'T', offers: false, minutes: null },
];

const SPANS = [
  ['08:00', '09:00', 'S'],
  ['09:00', '12:00', 'O'],
  ['13:00', '14:30', 'P'],
  ['14:30', '17:00', 'O'],
] as const;
const WEEKDAYS = [1, 2, 3, 4, 5];

export const LENGTHS: ClinicSeed = {
  providers: PROVIDERS,
  policies: PROVIDERS.map(({ id }) => ({ providerId: id })),
  types: TYPES.map((each, position) => ({ ...each, translations: null, position })),
  fees: (validFrom) =>
    TYPES.flatMap(({ code: of, insured }) =>
      ELIGIBILITIES.map((eligibility) => ({
        type: of,
        eligibility,
        validFrom,
        chargeCents: insured ? 0 : TRAVEL_CENTS,
        notice: null,
      })),
    ),
  templates: (today) =>
    PROVIDERS.flatMap(({ id }) =>
      WEEKDAYS.map((weekday) => ({
        providerId: id,
        weekday,
        validFrom: today,
        codes: dayTemplate(
          SPANS.map(([from, to, character]) => ({
            from: stepOfTime(from),
            to: stepOfTime(to),
            code: character,
          })),
        ),
      })),
    ),
  exceptions: () => [],
  codes: CODES,
  paces: PACES,
  booked: (_patients, codesOn, now) => booked(codesOn, now),
};

const DAYS = 10;
const SEED = 20_261_122;

/** Books about a third of the next ten days, the same at every seeding, one type after another. */
function booked(codesOn: Parameters<ClinicSeed['booked']>[1], now: number): SeededAppointment[] {
  const chance = mulberry32(SEED);
  const records = otherRecords();
  const made: SeededAppointment[] = [];
  for (let ahead = 0; ahead < DAYS; ahead++) {
    const date = addDays(toClinic(now).date, ahead);
    const ruler = dayRuler(date);
    for (const { id: providerId } of PROVIDERS) {
      const template = codesOn(providerId, date);
      const taken = keptBack(template, CODES, date, now);
      for (const { startEvery, ...each } of TYPES) {
        const pace = PACES.find((one) => one.providerId === providerId && one.type === each.code);
        const served = servedMinutes({ type: each, codes: CODES, pace: pace ?? null });
        const stretches = stretchesOf(template, served, startEvery, ruler);
        for (const { step, steps } of starts(stretches, taken)) {
          const record = records[Math.floor(chance() * records.length)];
          const start = stepStart(ruler, step);
          // Starts of one type do not overlap, but one that was just taken may reach into the next.
          const isFree = starts(stretches, taken).some((free) => free.step === step);
          if (chance() > 0.15 || !record || start === null || !isFree) continue;
          for (let at = step; at < step + steps; at++) addStep(taken, at);
          const minutes = (steps * STEP_SECONDS) / 60;
          const whose = { patient: null, recordId: record.id, providerId };
          made.push({ ...whose, start, type: each.code, minutes, state: 'booked' });
        }
      }
    }
  }
  return made;
}
