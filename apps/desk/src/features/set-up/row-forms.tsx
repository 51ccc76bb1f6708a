import type { ApiClinicTable, ApiSetUp } from '@clinic/contract';
import { useState } from 'react';
import { t } from '../../shared/words.ts';
import { DoctorSite, CodeOfEmr, TypeInEmr } from './emr-forms.tsx';
import { DoctorField, type Row, RowForm } from './row-form.tsx';

/** Forms for frequent changes; they build the import file themselves. */
export function RowForms({
  tables,
  types,
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
    </>
  );
}

type RowFormsProps = Pick<
  ApiSetUp,
  'tables' | 'types' | 'doctors' | 'slotCodes' | 'weekly' | 'emrTypes' | 'emrSites'
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
