import type { ClinicDate, SlotCodeRules } from '@clinic/domain';
import type { providerPolicy, providerType } from '@clinic/service/schema.ts';
import type { CodesOn, SeededAppointment, SeededPatient } from './appointments.ts';
import type {
  exceptionRows,
  feeRows,
  providerRows,
  templateRows,
  typeRows,
} from './clinic-rows.ts';

/** The rows of a clinic, and its booked appointments. */
export interface ClinicSeed {
  readonly providers: ReturnType<typeof providerRows>;
  readonly policies: readonly (typeof providerPolicy.$inferInsert)[];
  readonly types: ReturnType<typeof typeRows>;
  readonly fees: (validFrom: ClinicDate) => ReturnType<typeof feeRows>;
  readonly templates: (today: ClinicDate) => ReturnType<typeof templateRows>;
  readonly exceptions: (today: ClinicDate) => ReturnType<typeof exceptionRows>;
  /** Null keeps the codes of the specification. */
  readonly codes: readonly SlotCodeRules[] | null;
  readonly paces: readonly (typeof providerType.$inferInsert)[];
  /** 'emr' when an EMR keeps the records: no account has one at first. */
  readonly recordsIn?: 'emr';
  readonly booked: (
    patients: ReadonlyMap<string, SeededPatient>,
    codesOn: CodesOn,
    now: number,
  ) => SeededAppointment[];
}
