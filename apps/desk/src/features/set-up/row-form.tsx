import type { ApiClinicTable } from '@clinic/contract';
import { toSheetText, translatedColumn } from '@clinic/domain';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import type { ReactNode } from 'react';
import { Section } from '../../shared/section.tsx';
import { locale, t } from '../../shared/words.ts';
import { LookForm, asBase64, useImport } from './tables.tsx';

/** A row of a table, by column name. */
export type Row = Readonly<Record<string, string>>;

export const nameOf = (doctor: Row) =>
  `${doctor['lastName']}, ${doctor['firstName']} (${doctor['id']})`;

interface ChoiceProps {
  value: string;
  onChange: (id: string) => void;
}

/** Chooses a provider. */
export function DoctorField({ doctors, ...choice }: ChoiceProps & { doctors: readonly Row[] }) {
  return (
    <SelectField
      label={t('desk.setUp.whichDoctor')}
      placeholder={t('desk.setUp.doctorChoose')}
      required
      options={doctors.map((each) => ({ value: each['id'] ?? '', label: nameOf(each) }))}
      {...choice}
    />
  );
}

export const typeNameOf = (type: Row) =>
  `${type['code']} ${type[translatedColumn('description', locale())] || type['description']}`;

/** Chooses an appointment type. */
export function TypeField({ types, ...choice }: ChoiceProps & { types: readonly Row[] }) {
  return (
    <SelectField
      label={t('desk.setUp.whichType')}
      placeholder={t('desk.setUp.typeChoose')}
      required
      options={types.map((each) => ({
        value: each['code'] ?? '',
        label: typeNameOf(each),
      }))}
      {...choice}
    />
  );
}

interface RowFormProps {
  what: ApiClinicTable;
  title: string;
  about?: string;
  /** What still wants saying. */
  missing?: string | false;
  /** The rows to import; empty until the form is complete. */
  rows: readonly Row[];
  children: ReactNode;
}

/** Previews and imports rows as an uploaded file is. */
export function RowForm({ what, title, about, missing: open, rows, children }: RowFormProps) {
  const table = useImport(what);
  return (
    <Section title={title} about={about}>
      {open && (
        <Notice kind="caution">
          <p>{open}</p>
        </Notice>
      )}
      <LookForm
        table={table}
        title={title}
        onLook={() => {
          if (rows.length > 0) table.look(fileOf(rows));
        }}
        name={t(`desk.setUp.table.${what}`)}
      >
        {children}
      </LookForm>
    </Section>
  );
}

/** A CSV file for the import, which takes the apostrophes away that mark texts. */
export function fileOf(rows: readonly Row[]): string {
  const field = (text: string) => `"${toSheetText(text).replaceAll('"', '""')}"`;
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => field(row[name] ?? '')))];
  const csv = lines.map((line) => `${line.join()}\n`).join('');
  return asBase64(new TextEncoder().encode(csv).buffer);
}
