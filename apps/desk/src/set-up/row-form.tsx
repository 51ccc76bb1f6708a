import type { ApiClinicTable } from '@clinic/contract';
import { toSheetText } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import type { ReactNode } from 'react';
import { ask } from '../api.ts';
import { Failed, useDeskAction } from '../desk-action.tsx';
import styles from '../office.module.css';
import { t } from '../words.ts';
import { setUpQuery } from './set-up-page.tsx';
import { Seen, asBase64 } from './tables.tsx';

/** A row of a table, by column name. */
export type Row = Readonly<Record<string, string>>;

export const nameOf = (doctor: Row) =>
  `${doctor['lastName']}, ${doctor['firstName']} (${doctor['id']})`;

interface TypeFieldProps {
  types: readonly Row[];
  value: string;
  onChange: (code: string) => void;
}

export function TypeField({ types, value, onChange }: TypeFieldProps) {
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
  /** What still wants saying. */
  missing?: string | false;
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
export function RowForm({ what, title, about, missing: open, rows, children }: RowFormProps) {
  const csv = asCsv(rows);
  const send = useDeskAction({
    work: async ({ csv: text, version }: Sent) => {
      const file = await asBase64(new Blob([text]));
      const body = { file, ...(version !== undefined && { version }) };
      return (await ask('deskImportTable', { params: { what }, body })).extras;
    },
    changes: ({ version }) => version !== undefined,
    shows: [setUpQuery.queryKey],
    unknown: t('desk.setUp.importUnknown'),
  });
  const seen = send.data;
  // The form has changed since the preview.
  const isStale = send.variables?.csv !== csv && seen?.isImported !== true;
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {about && <p className={styles.about}>{about}</p>}
      {open && (
        <Notice kind="caution">
          <p>{open}</p>
        </Notice>
      )}
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
      <Failed of={send} />
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

/** CSV for the import, which takes the apostrophes away that mark texts. */
function asCsv(rows: readonly Row[]): string {
  const field = (text: string) => `"${toSheetText(text).replaceAll('"', '""')}"`;
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => field(row[name] ?? '')))];
  return lines.map((line) => `${line.join()}\n`).join('');
}
