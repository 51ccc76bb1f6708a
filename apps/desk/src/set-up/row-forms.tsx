import type { ApiClinicTable, ApiSetUp } from '@clinic/contract';
import { ELIGIBILITIES, toClinic } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ask, now } from '../api.ts';
import styles from '../office.module.css';
import { t } from '../words.ts';
import { setUpQuery } from './set-up-page.tsx';
import { Seen, asBase64, why } from './tables.tsx';

/** A row of a table, by column name. */
type Row = Readonly<Record<string, string>>;

/** Forms for two frequent changes; they build the import file themselves. */
export function RowForms({ tables, types, fees }: Pick<ApiSetUp, 'tables' | 'types' | 'fees'>) {
  const rowsOf = (of: ApiClinicTable, rows: readonly (readonly string[])[]): Row[] => {
    const columns = tables.find(({ what }) => what === of)?.columns ?? [];
    const names = columns.map((name) => name.replace(/^\[|\]$/g, ''));
    return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
  };
  const allTypes = rowsOf('types', types);
  return (
    <>
      <Minutes types={allTypes} />
      <Fee types={allTypes} fees={rowsOf('fees', fees)} />
    </>
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
        label={t('desk.setUp.minutes')}
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
  const [validFrom, setValidFrom] = useState(() => toClinic(now()).date);
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
        label={t('desk.setUp.feeFrom')}
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

interface TypeFieldProps {
  types: readonly Row[];
  value: string;
  onChange: (code: string) => void;
}

function TypeField({ types, value, onChange }: TypeFieldProps) {
  return (
    <SelectField
      label={t('desk.setUp.whichType')}
      placeholder={t('desk.setUp.typeChoose')}
      required
      options={types.map((each) => ({
        value: each['code'] ?? '',
        label: `${each['code']} ${each['description']}`,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

interface RowFormProps {
  what: ApiClinicTable;
  title: string;
  about?: string;
  /** The rows to import; empty until the form is complete. */
  rows: readonly Row[];
  children: ReactNode;
}

interface Sent {
  readonly csv: string;
  /** Version that the preview returned; without it the call only previews. */
  readonly version?: string;
}

/** Previews and imports rows as an uploaded file is. */
function RowForm({ what, title, about, rows, children }: RowFormProps) {
  const queries = useQueryClient();
  const csv = asCsv(rows);
  const send = useMutation({
    mutationFn: async ({ csv: text, version }: Sent) => {
      const file = await asBase64(new Blob([text]));
      const body = { file, ...(version !== undefined && { version }) };
      return (await ask('deskImportTable', { params: { what }, body })).extras;
    },
    async onSuccess({ isImported }) {
      if (isImported) await queries.invalidateQueries({ queryKey: setUpQuery.queryKey });
    },
  });
  const seen = send.data;
  // The form has changed since the preview.
  const isStale = send.variables?.csv !== csv && seen?.isImported !== true;
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {about && <p className={styles.about}>{about}</p>}
      <form
        className={styles.form}
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault();
          if (rows.length > 0 && !send.isPending) send.mutate({ csv });
        }}
      >
        {children}
        <div>
          <Button
            type="submit"
            variant="secondary"
            busy={send.isPending && send.variables.version === undefined}
            busyLabel={t('desk.setUp.looking')}
          >
            {t('desk.setUp.look')}
          </Button>
        </div>
      </form>
      <ActionOutcome press={send.submittedAt}>{send.error && why(send.error)}</ActionOutcome>
      {seen && !isStale && (
        <Seen
          seen={seen}
          press={send.submittedAt}
          tableName={t(`desk.setUp.table.${what}`)}
          isImporting={send.isPending}
          onImport={() => send.mutate({ csv, version: seen.version })}
        />
      )}
    </section>
  );
}

/** CSV for the import: a text that begins like a formula gets an apostrophe, which the import removes. */
function asCsv(rows: readonly Row[]): string {
  const field = (text: string) => {
    const marked = /^'*\s*[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
  };
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => field(row[name] ?? '')))];
  return lines.map((line) => `${line.join()}\n`).join('');
}
