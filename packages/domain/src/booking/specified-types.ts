import type { TypeRules } from './appointment-type.ts';
import { slotCodeName } from './free-starts.ts';
import type { SlotCodeRules } from './free-starts.ts';

/** A type as the clinic keeps it, with settings that patients do not see. */
export interface KeptType extends TypeRules {
  /** Minutes between starts; null means the length of the appointment.. */
  readonly startEvery: number | null;
  /** Covered patients pay nothing for it.. */
  readonly insured: boolean;
}

const type = (code: string, description: string, over: Partial<KeptType> = {}): KeptType => ({
  code,
  description,
  minutes: 5,
  startEvery: null,
  mode: 'inPerson',
  form: 'standard',
  instruction: null,
  enforceMrp: false,
  enforceNoPcp: false,
  requiresDocuments: true,
  insured: false,
  isPrivate: false,
  byNursePractitioners: false,
  resetsDoctor: false,
  ...over,
});

const FAMILY = {
  enforceMrp: true,
  enforceNoPcp: true,
  insured: true,
  byNursePractitioners: true,
  resetsDoctor: true,
} as const;
const COMES = { instruction: 'comeToClinic' } as const;
const CALLED = { mode: 'phone', instruction: 'providerWillCall' } as const;

/** The nine types of §1, in the order in which patients see them. */
export const SPECIFIED_TYPES: readonly KeptType[] = [
  type('O', 'In-person visit', { ...FAMILY, ...COMES }),
  type('P', 'Phone consultation', { ...FAMILY, ...CALLED }),
  type('PP', 'Private phone consultation', { ...CALLED, isPrivate: true }),
  type('V', 'Private visit', { ...COMES, isPrivate: true }),
  type('I', 'ICBC injury claim visit', {
    form: 'injuryClaim',
    insured: true,
    requiresDocuments: false,
  }),
  type('D', 'Driver medical', { ...COMES, form: 'driverMedical' }),
  type('M', 'Immigration medical exam', { form: 'immigration' }),
  type('G', 'Immigration medical exam (other)', { form: 'immigration' }),
  type('F', 'Medication refill', { form: 'refill', requiresDocuments: false }),
];

const code = (letter: string, description: string, types: readonly string[]): SlotCodeRules => ({
  code: letter,
  description,
  types,
  minutes: null,
  release: 'always',
  releaseAt: '00:00',
});

/** The slot codes of R-20: one for each type that is booked by slot, and A, which serves several types. */
export const SPECIFIED_CODES: readonly SlotCodeRules[] = [
  ...SPECIFIED_TYPES.filter(({ form }) => form !== 'refill').map((each) =>
    code(each.code === 'PP' ? 'Q' : each.code, each.description, [each.code]),
  ),
  code('A', 'Any', ['PP', 'V', 'I', 'D', 'M', 'G']),
];

/** The API's name for each slot code. */
export const SPECIFIED_NAMES: ReadonlyMap<string, string> = new Map(
  SPECIFIED_CODES.map((each) => [each.code, slotCodeName(each)]),
);
