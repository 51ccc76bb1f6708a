import type { SlotCodeRules } from '@clinic/domain';
import { feeRows, typeRows } from './clinic-rows.ts';
import type { ClinicSeed } from './seed.ts';

const code = (character: string, description: string, types: string[]): SlotCodeRules => ({
  code: character,
  description,
  types,
  minutes: null,
  release: 'always',
  releaseAt: '00:00',
});

/** On an OSCAR: who works when and which records there are is OSCAR's; what its codes serve is ours. */
export const ON_OSCAR: ClinicSeed = {
  providers: [],
  policies: [],
  types: typeRows(),
  fees: feeRows,
  templates: () => [],
  exceptions: () => [],
  codes: [code('C', 'Clinic Appointment', ['O', 'V', 'I', 'D']), code('P', 'Phone', ['P', 'PP'])],
  paces: [],
  recordsIn: 'emr',
  booked: () => [],
};
