import { clinicNow } from '@clinic/app/clock';
import type { ApiClinicTable, ApiSetUp } from '@clinic/contract';
import { ELIGIBILITIES, toClinic } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { t } from '../../shared/words.ts';
import { DoctorSite, CodeOfEmr, TypeInEmr } from './emr-forms.tsx';
import { DoctorField, type Row, RowForm, TypeField } from './row-form.tsx';

/** Forms for frequent changes; they build the import file themselves. */
export function RowForms({
  tables,
  types,
  fees,
  doctors = [],
  slotCodes = [],
  weekly = [],
  emrTypes = [],
  emrSites = [],
}: RowFormsProps) {
  const rowsOf = (of: ApiClinicTable, rows: readonly (readonly string[])[]): Row[] => {
    const columns = tables.find(({ what }) => what === of)?.columns ?? [];
    const names = columns.map((name) => name.replace(/^\[|\]$/g, ''));
    return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
  };
  const allTypes = rowsOf('types', types);
  const allDoctors = rowsOf('providers', doctors);
  const keepsSchedule = tables.some(({ isInEmr }) => isInEmr);
  return (
    <>
      <ShowDoctor doctors={allDoctors} />
      {emrSites.length > 0 && <DoctorSite doctors={allDoctors} sites={emrSites} />}
      {emrTypes.length > 0 && <TypeInEmr types={allTypes} names={emrTypes} />}
      {keepsSchedule && slotCodes.length > 0 && (
        <CodeOfEmr codes={rowsOf('codes', slotCodes)} weekly={weekly} types={allTypes} />
      )}
      <Minutes types={allTypes} />
      <Fee types={allTypes} fees={rowsOf('fees', fees)} />
    </>
  );
}

type RowFormsProps = Pick<
  ApiSetUp,
  'tables' | 'types' | 'fees' | 'doctors' | 'slotCodes' | 'weekly' | 'emrTypes' | 'emrSites'
>;

/** Whoever is new in the EMR is hidden until somebody shows them here. */
function ShowDoctor({ doctors }: { doctors: readonly Row[] }) {
  const [id, setId] = useState('');
  const hidden = doctors.filter((each) => each['hidden'] === 'yes' && each['status'] === '1');
  const row = hidden.find((each) => each['id'] === id);
  if (hidden.length === 0) return null;
  return (
    <RowForm
      what="providers"
      title={t('desk.setUp.showTitle')}
      about={t('desk.setUp.showAbout')}
      rows={row ? [{ ...row, hidden: 'no' }] : []}
    >
      <DoctorField doctors={hidden} value={id} onChange={setId} />
    </RowForm>
  );
}

function Minutes({ types }: { types: readonly Row[] }) {
  const [code, setCode] = useState('');
  const [minutes, setMinutes] = useState('');
  const row = types.find((each) => each['code'] === code);
  return (
    <RowForm
      what="types"
      title={t('desk.setUp.minutesTitle')}
      rows={row ? [{ ...row, minutes }] : []}
    >
      <TypeField
        types={types}
        value={code}
        onChange={(next) => {
          setCode(next);
          setMinutes(types.find((each) => each['code'] === next)?.['minutes'] ?? '');
        }}
      />
      <TextField
        label={t('desk.minutes')}
        required
        inputMode="numeric"
        maxLength={3}
        value={minutes}
        onChange={setMinutes}
      />
    </RowForm>
  );
}

function Fee({ types, fees }: { types: readonly Row[]; fees: readonly Row[] }) {
  const [type, setType] = useState('');
  const [eligibility, setEligibility] = useState('');
  const [validFrom, setValidFrom] = useState(() => toClinic(clinicNow()).date);
  const [charge, setCharge] = useState('');
  const ofType = fees.filter((each) => each['type'] === type);
  const before = ofType.findLast(
    (each) => each['eligibility'] === eligibility && (each['validFrom'] ?? '') <= validFrom,
  );
  const row = { type, eligibility, validFrom, charge, notice: before?.['notice'] ?? '' };
  // A type has fees for all eligibilities or none: with its first fee, the others are set to free.
  const others = ofType.length > 0 ? [] : ELIGIBILITIES.filter((each) => each !== eligibility);
  const free = others.map((each) => ({ ...row, eligibility: each, charge: '0.00' }));
  return (
    <RowForm
      what="fees"
      title={t('desk.setUp.feeTitle')}
      about={t('desk.setUp.feeAbout')}
      rows={type && eligibility ? [row, ...free] : []}
    >
      <TypeField types={types} value={type} onChange={setType} />
      <SelectField
        label={t('desk.eligibility')}
        placeholder={t('desk.setUp.feeForChoose')}
        required
        options={ELIGIBILITIES.map((each) => ({ value: each, label: each }))}
        value={eligibility}
        onChange={setEligibility}
      />
      <TextField
        type="date"
        label={t('desk.from')}
        required
        value={validFrom}
        onChange={setValidFrom}
      />
      <TextField
        label={t('desk.setUp.charge')}
        hint={before && t('desk.setUp.chargeNow', { charge: before['charge'] ?? '' })}
        required
        inputMode="decimal"
        maxLength={7}
        value={charge}
        onChange={setCharge}
      />
    </RowForm>
  );
}
