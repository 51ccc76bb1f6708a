import { UserFacingError } from '@clinic/app/api-error';
import type { ApiClinicTable, ApiImportPreview, ApiSetUp } from '@clinic/contract';
import { FILE_HEAD_BYTES, whyNoTable } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Field } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ask } from '../../shared/api.ts';
import { DataTable, ofNumbers } from '../../shared/data-table.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { saveTable } from '../../shared/files.ts';
import styles from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { usePreviewed } from '../../shared/use-previewed.ts';
import { t } from '../../shared/words.ts';
import { setUpQuery } from './set-up-page.tsx';

type Tables = Pick<ApiSetUp, 'tables'>;

/** Exports and imports the clinic's set-up tables as files. */
export function ClinicTables({ tables }: Tables) {
  const download = useAction({
    work: async (what: ApiClinicTable) =>
      (await ask('deskExportTable', { params: { what }, body: {} })).extras,
    onDone: saveTable,
    changes: () => false,
  });
  return (
    <>
      <Section title={t('desk.setUp.tables')} about={t('desk.setUp.tablesAbout')}>
        <Outcome
          of={download}
          done={download.result && t('desk.isSaved', { name: download.result.name })}
        />
        <DataTable
          caption={t('desk.setUp.tables')}
          columns={[t('desk.setUp.table'), t('desk.setUp.columns'), t('desk.setUp.export')]}
          rows={tables.map(({ what, columns, isInEmr }) => (
            <tr key={what}>
              <th scope="row">
                {t(`desk.setUp.table.${what}`)}
                {isInEmr && <div className={styles.soft}>{t('desk.setUp.inEmr')}</div>}
              </th>
              <td>{columns.join(', ')}</td>
              <td>
                <Button
                  variant="secondary"
                  icon={<Download size={18} aria-hidden="true" />}
                  aria-label={t('desk.setUp.exportOf', { table: t(`desk.setUp.table.${what}`) })}
                  busy={download.pending && download.input === what}
                  onClick={() => download.run(what)}
                >
                  {t('desk.setUp.export')}
                </Button>
              </td>
            </tr>
          ))}
        />
        <p className={styles.soft}>{t('desk.setUp.columnsAbout')}</p>
      </Section>
      <Import tables={tables} />
    </>
  );
}

const MOST_BYTES = 5 * 1024 * 1024;

/** Why the service would refuse a file before it reads its rows. */
async function whyNotTaken(file: File): Promise<string | null> {
  if (file.size === 0) return t('desk.setUp.fileEmpty');
  if (file.size > MOST_BYTES) return t('desk.setUp.fileTooLarge');
  try {
    const head = new Uint8Array(await file.slice(0, FILE_HEAD_BYTES).arrayBuffer());
    const no = whyNoTable(head);
    return no && t(`desk.setUp.file.${no}`);
  } catch {
    // The file was moved or deleted since, or its cloud drive is offline.
    return t('desk.setUp.fileUnreadable');
  }
}

interface OnImport {
  readonly onLooked?: (answer: ApiImportPreview, file: string) => void;
  readonly onSaved?: () => void;
}

/** Looks at what a file would change in a table, then imports it. */
export function useImport(what: ApiClinicTable | undefined, { onLooked, onSaved }: OnImport = {}) {
  return usePreviewed({
    send: async (file: string, by?: ApiImportPreview) => {
      if (what === undefined) throw new UserFacingError(t('desk.setUp.intoChoose'));
      const body = { file, ...(by && { version: by.version }) };
      const { extras } = await ask('deskImportTable', { params: { what }, body });
      onLooked?.(extras, file);
      return extras;
    },
    ...(onSaved && { onSaved }),
    isSaved: ({ isImported }) => isImported,
    shows: [setUpQuery.queryKey],
    unknown: t('desk.setUp.importUnknown'),
  });
}

/** Previews a file (its problems, or what it would change), then imports it. */
function Import({ tables }: Tables) {
  const [into, setInto] = useState('');
  const [file, setFile] = useState<File>();
  const table = tables.find(({ what, isInEmr }) => what === into && !isInEmr);
  const [looked, setLooked] = useState<{ readonly file: File; readonly why: string | null }>();
  const refused = looked && looked.file === file ? looked.why : null;
  const importing = useImport(table?.what);
  const look = async (chosen: File) => {
    const why = await whyNotTaken(chosen);
    setLooked({ file: chosen, why });
    return why;
  };
  const lookAt = async () => {
    if (!table || !file || (await look(file)) !== null) return;
    importing.look(asBase64(await file.arrayBuffer()));
  };
  return (
    <Section title={t('desk.setUp.import')}>
      <LookForm
        table={importing}
        title={t('desk.setUp.import')}
        onLook={() => void lookAt()}
        name={table ? t(`desk.setUp.table.${table.what}`) : ''}
      >
        <SelectField
          label={t('desk.setUp.into')}
          placeholder={t('desk.setUp.intoChoose')}
          required
          options={tables
            .filter(({ isInEmr }) => !isInEmr)
            .map(({ what }) => ({ value: what, label: t(`desk.setUp.table.${what}`) }))}
          value={into}
          onChange={setInto}
        />
        <Field label={t('desk.setUp.file')} hint={t('desk.setUp.fileHint')} error={refused}>
          {(wiring) => (
            <input
              {...wiring}
              type="file"
              className={styles.file}
              required
              accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
              onChange={({ target }) => {
                const chosen = target.files?.[0];
                setFile(chosen);
                if (chosen) void look(chosen);
              }}
            />
          )}
        </Field>
      </LookForm>
    </Section>
  );
}

interface LookFormProps {
  table: ReturnType<typeof useImport>;
  title: string;
  /** What the table is called. */
  name: string;
  onLook: () => void;
  children: ReactNode;
}

/** What is to be imported, what that would change or what is wrong with it, and the button that imports it. */
export function LookForm({ table, title, name, onLook, children }: LookFormProps) {
  const { action, preview, saved, isLooking, isSaving, save, drop } = table;
  const seen = saved ?? preview?.answer;
  return (
    <>
      <SendForm
        aria-label={title}
        does={t('desk.setUp.look')}
        doing={t('desk.looking')}
        busy={isLooking}
        variant="secondary"
        onSend={onLook}
        onChange={drop}
      >
        {children}
      </SendForm>
      <Outcome of={action} />
      {seen && (
        <Seen
          seen={seen}
          press={action.press}
          tableName={name}
          isImporting={isSaving}
          onImport={save}
        />
      )}
    </>
  );
}

interface SeenProps {
  seen: ApiImportPreview;
  press: number;
  tableName: string;
  isImporting: boolean;
  onImport: () => void;
}

/** What an import would change, or is wrong with it, or that it is done. */
export function Seen({ seen, press, tableName, isImporting, onImport }: SeenProps) {
  const { rows, problems, columns, changes, changed, isImported } = seen;
  if (problems.length > 0)
    return (
      <>
        <ActionOutcome press={press}>
          {t('desk.setUp.problems', { count: problems.length })}
        </ActionOutcome>
        <DataTable
          caption={t('desk.setUp.faults')}
          showCaption
          columns={[ofNumbers(t('desk.setUp.line')), t('desk.setUp.column'), t('desk.setUp.fault')]}
          rows={problems.map(({ line, column, why: said }) => (
            <tr key={`${line} ${column} ${said}`}>
              <th scope="row" className={styles.number}>
                {line}
              </th>
              <td>{column}</td>
              <td>{said}</td>
            </tr>
          ))}
        />
      </>
    );
  if (isImported)
    return (
      <ActionOutcome press={press} kind="good">
        {t('desk.setUp.imported', { rows, table: tableName })}
      </ActionOutcome>
    );
  if (changed === 0)
    return (
      <Notice role="alert">
        <p>{t('desk.setUp.noChanges')}</p>
      </Notice>
    );
  return (
    <>
      <Notice kind="caution" role="alert">
        <p>{t('desk.setUp.changes', { rows })}</p>
      </Notice>
      <DataTable
        caption={t('desk.setUp.changed')}
        showCaption
        columns={[t('desk.setUp.is'), ...columns]}
        rows={changes.map(({ is, fields }) => (
          <tr key={`${is} ${JSON.stringify(fields)}`} className={is === 'old' ? styles.old : ''}>
            <th scope="row">{t(`desk.setUp.is.${is}`)}</th>
            {columns.map((name, at) => (
              <td key={name}>{fields[at]}</td>
            ))}
          </tr>
        ))}
      />
      {changes.length < changed && (
        <p className={styles.soft}>
          {t('desk.setUp.changesMore', { shown: changes.length, all: changed })}
        </p>
      )}
      <div>
        <Button busy={isImporting} busyLabel={t('desk.setUp.importing')} onClick={onImport}>
          {t('desk.setUp.doImport', { rows })}
        </Button>
      </div>
    </>
  );
}

/** Encodes a file as base64, uploaded or made by a form. */
export function asBase64(file: ArrayBuffer): string {
  const bytes = new Uint8Array(file);
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

const CHUNK = 32_768;
