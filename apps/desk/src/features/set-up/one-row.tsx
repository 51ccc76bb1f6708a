import { Form, useForm } from '@clinic/app/form';
import { LoadState } from '@clinic/app/outcome';
import type { ApiClinicTable, ApiSetUp, ApiTable } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { whyNoDay } from '../../shared/day-field.tsx';
import { Outcome } from '../../shared/desk-action.tsx';
import office from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { t, wordsOf } from '../../shared/words.ts';
import styles from './one-row.module.css';
import { type Row, fileOf } from './row-form.tsx';
import { rowsAround, withoutRow } from './rows-around.ts';
import { setUpQuery } from './set-up-page.tsx';
import { Seen, useImport } from './tables.tsx';

const tableQuery = (what: ApiClinicTable) =>
  queryOptions({
    queryKey: [...setUpQuery.queryKey, 'table', what],
    queryFn: async () => (await ask('deskTable', { params: { what } })).extras,
  });

type Column = ApiTable['columns'][number];

const labelOf = (name: string) =>
  wordsOf(`desk.setUp.column.${name}`) ??
  // A column that nobody has words for yet: 'startEvery' is 'Start every'.
  `${name.charAt(0).toUpperCase()}${name.slice(1).replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)}`;

const choiceOf = ({ value, name }: Column['choices'][number]) => ({
  value,
  label: value === name ? (wordsOf(`desk.setUp.choice.${value}`) ?? name) : name,
});

/** Adds a row to a table, changes one or takes it out, by the import of a file with that row. */
export function OneRow({ tables }: Pick<ApiSetUp, 'tables'>) {
  const [chosen, setChosen] = useState('');
  const table = tables.find(({ what }) => what === chosen);
  return (
    <Section title={t('desk.setUp.oneRow')} about={t('desk.setUp.oneRowAbout')}>
      <div className={styles.fields}>
        <SelectField
          label={t('desk.setUp.table')}
          placeholder={t('desk.setUp.intoChoose')}
          options={tables.map(({ what }) => ({
            value: what,
            label: t(`desk.setUp.table.${what}`),
          }))}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      {table?.isInEmr && (
        <Notice role="note">
          <p>{t('desk.setUp.inEmr')}</p>
        </Notice>
      )}
      {table && !table.isInEmr && <OfTable key={table.what} what={table.what} />}
    </Section>
  );
}

function OfTable({ what }: { what: ApiClinicTable }) {
  const table = useQuery(tableQuery(what));
  return table.data ? <RowFields what={what} table={table.data} /> : <LoadState of={table} />;
}

interface RowFieldsProps {
  what: ApiClinicTable;
  table: ApiTable;
}

function RowFields({ what, table }: RowFieldsProps) {
  const { columns, whole } = table;
  const blank = Object.fromEntries(columns.map(({ name, otherwise }) => [name, otherwise]));
  const key = columns.filter(({ isKey }) => isKey);
  const rows = table.rows.map(({ name: label, fields }) => {
    const row: Row = Object.fromEntries(columns.map(({ name }, at) => [name, fields[at] ?? '']));
    return { value: JSON.stringify(key.map(({ name }) => row[name])), label, row };
  });
  // The key of the row that is changed; '' for a new one.
  const [chosen, setChosen] = useState('');
  const old = rows.find(({ value }) => value === chosen)?.row;
  const form = useForm<Row>(useState<Row>(blank), labelOf);
  const row = form.values;
  // What is known by its key stays that; from another date on it is another row.
  const shown = columns.filter(
    ({ isKey, kind }) => !old || whole.length > 0 || !isKey || kind === 'date',
  );
  const start = (next: string) => {
    setChosen(next);
    form.show([]);
    form.change(rows.find(({ value }) => value === next)?.row ?? blank);
  };
  const importing = useImport(what, {
    onLooked({ problems }, file) {
      // The row is the last of its file.
      const own = atob(file).trimEnd().split('\n').length;
      const found = problems.map(({ line, column, why }) => {
        const isShown = line === own && shown.some(({ name }) => name === column);
        return isShown
          ? { field: column, message: why }
          : { field: null, message: t('desk.setUp.elsewhere', { line, column, why }) };
      });
      form.show(found);
    },
    onSaved: () => start(''),
  });
  const { action, preview, saved, isLooking, isSaving, look, save, drop } = importing;
  const seen = saved ?? preview?.answer;
  const left = old && withoutRow({ columns, whole, rows }, old);
  return (
    <>
      <Form
        of={form}
        className={styles.form}
        aria-label={t('desk.setUp.oneRow')}
        textsStay
        pending={action.pending}
        check={() => shown.flatMap((column) => wrongIn(column, row[column.name] ?? ''))}
        onSend={() => look(fileOf(rowsAround({ what, columns, whole, rows }, row, old)))}
        onChange={drop}
      >
        <div className={styles.fields}>
          <SelectField
            label={t('desk.setUp.is')}
            options={[{ value: '', label: t('desk.setUp.newRow') }, ...rows]}
            value={old ? chosen : ''}
            onChange={start}
          />
          {shown.map((column) => (
            <ColumnField key={column.name} column={column} {...form.field(column.name)} />
          ))}
        </div>
        <div className={office.buttons}>
          <Button type="submit" variant="secondary" busy={isLooking} busyLabel={t('desk.looking')}>
            {t('desk.setUp.look')}
          </Button>
          {left && left.length > 0 && (
            <Button
              variant="secondary"
              disabled={action.pending}
              onClick={() => look(fileOf(left))}
            >
              {t('desk.setUp.lookWithout')}
            </Button>
          )}
        </div>
      </Form>
      <Outcome of={action} />
      {seen && seen.problems.length === 0 && (
        <Seen
          seen={seen}
          press={action.press}
          tableName={t(`desk.setUp.table.${what}`)}
          isImporting={isSaving}
          onImport={save}
        />
      )}
    </>
  );
}

function wrongIn({ name, kind, isNeeded }: Column, text: string) {
  const message =
    isNeeded && text.trim() === ''
      ? t('desk.setUp.needed', { label: labelOf(name) })
      : kind === 'date' && text !== ''
        ? whyNoDay(text)
        : null;
  return message === null ? [] : [{ field: name, message }];
}

interface ColumnFieldProps {
  column: Column;
  id: string;
  error: string | null;
  value: string;
  onChange: (text: string) => void;
}

/** In place of a list of choices: nobody has said which. */
const UNSAID = '?';

function ColumnField({ column, value, onChange, ...field }: ColumnFieldProps) {
  const { name, kind, isNeeded, otherwise, most, choices } = column;
  const label = labelOf(name);
  if (kind === 'choices') {
    const said = value === UNSAID ? [] : value.split(' ').filter(Boolean);
    return (
      <CheckboxGroup
        {...field}
        label={label}
        options={choices.map(choiceOf)}
        values={said}
        onToggle={(one) =>
          onChange(
            (said.includes(one) ? said.filter((each) => each !== one) : [...said, one]).join(' '),
          )
        }
      />
    );
  }
  if (kind === 'choice') {
    const isKnown = value === '' || choices.some((each) => each.value === value);
    return (
      <SelectField
        {...field}
        label={label}
        options={[...choices, ...(isKnown ? [] : [{ value, name: value }])].map(choiceOf)}
        {...(otherwise === '' && {
          placeholder: t(isNeeded ? 'desk.setUp.columnChoose' : 'desk.setUp.columnNone'),
        })}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      {...field}
      {...(kind === 'date' && { type: 'date' })}
      {...(kind === 'number' && { inputMode: 'numeric' })}
      {...(kind === 'dollars' && { inputMode: 'decimal' })}
      label={label}
      hint={kind === 'text' || kind === 'date' ? undefined : t(`desk.setUp.hint.${kind}`)}
      optional={!isNeeded}
      maxLength={most}
      value={value}
      onChange={onChange}
    />
  );
}
