import { ELIGIBILITIES } from '@clinic/domain';
import type { AppointmentTypeCode, ClinicDate, Eligibility } from '@clinic/domain';

interface TypeAndFees {
  readonly code: AppointmentTypeCode;
  readonly description: string;
  /** In dollars, by eligibility. */
  readonly fees: Readonly<Record<Eligibility, number>>;
  readonly enforceMrp: boolean;
  readonly enforceNoPcp: boolean;
  readonly requiresDocuments: boolean;
}

const forAll = (dollars: number) => ({ E: dollars, NR: dollars, R: dollars, NE: dollars });
const covered = { E: 0, NR: 10, R: 200, NE: 200 };

const kind = (
  code: AppointmentTypeCode,
  description: string,
  fees: TypeAndFees['fees'],
  enforced: boolean,
  requiresDocuments: boolean,
): TypeAndFees => ({
  code,
  description,
  fees,
  enforceMrp: enforced,
  enforceNoPcp: enforced,
  requiresDocuments,
});

const TYPES: readonly TypeAndFees[] = [
  kind('O', 'In-person visit', covered, true, true),
  kind('P', 'Phone consultation', covered, true, true),
  kind('PP', 'Private phone consultation', forAll(75), false, true),
  kind('V', 'Private visit', forAll(200), false, true),
  kind('I', 'ICBC injury claim visit', covered, false, false),
  kind('D', 'Driver medical', forAll(150), false, true),
  kind('M', 'Immigration medical exam', forAll(250), false, true),
  kind('G', 'Immigration medical exam (other)', forAll(250), false, true),
  kind('F', 'Medication refill', forAll(0), false, false),
];

/** R-35, a draft for the clinic's counsel. */
const NOTICE_P_NE =
  'DRAFT. By order of the Ministry of Health, a phone consultation for a patient without coverage is a private service. Its fee is not refunded by any public plan. Choose an in-person visit if you need a referral.';

export const typeRows = () =>
  TYPES.map(({ fees: _fees, ...row }, position) => ({ ...row, position }));

export const feeRows = (validFrom: ClinicDate) =>
  TYPES.flatMap(({ code, fees }) =>
    ELIGIBILITIES.map((eligibility) => ({
      type: code,
      eligibility,
      validFrom,
      chargeCents: fees[eligibility] * 100,
      notice: code === 'P' && eligibility === 'NE' ? NOTICE_P_NE : null,
    })),
  );
