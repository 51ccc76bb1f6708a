import { type AnyCall, type FormCallId, calls, deskCalls, olderForms } from '@clinic/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pharmacy } from '../src/schema.ts';
import { type Form, type Headers, type Values, deskForms, patientsForms } from './opened-forms.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';

let clinic: TwoPatients;
let forms: Readonly<Record<FormCallId, Form>>;
beforeAll(async () => {
  clinic = await twoPatients();
  const other = { id: 'pharmacy-other', name: 'Other', address: '4 Way', fax: '', phone: '' };
  await clinic.database.inTransaction((tx) => tx.insert(pharmacy).values(other));
  forms = { ...patientsForms(clinic), ...(await deskForms(clinic)) };
});
afterAll(() => clinic.close());

const formCalls = Object.entries(olderForms).flatMap(([id, older]) =>
  typeof older === 'string' ? [] : [{ id: id as FormCallId, fields: older.fields, of: older.of }],
);
const everyCall: Readonly<Record<string, AnyCall>> = { ...calls, ...deskCalls };
const headersOf = (version: string | undefined, changes: Values): Headers => ({
  'x-form-version': version ?? '',
  'x-changed': Object.keys(changes).join(','),
});
/** The value that each field of a form has in turn. */
const all = ({ values }: Form, at: 0 | 1): Values =>
  Object.fromEntries(Object.entries(values).map(([field, both]) => [field, both[at]]));
const part = (values: Values, field: string): Values => ({ [field]: values[field] });

/** Saves a form as a page of version 0.2.0 does, which says nothing of it. */
async function saveWithout(form: Form, changes: Values) {
  const answered = await form.save(changes, (await form.read()).stored, {});
  expect([answered.statusCode, answered.body]).toEqual([200, expect.anything()]);
}

describe('A form opened earlier', () => {
  test('is known of each call that changes something', () => {
    const changing = Object.values(everyCall).filter(({ method }) => method !== 'GET');
    expect(Object.keys(olderForms).sort()).toEqual(changing.map(({ id }) => id).sort());
  });

  test.each(formCalls)('may say in $id what it was made of', async ({ id, fields }) => {
    expect(Object.keys(everyCall[id]?.headers?.shape ?? {})).toEqual(
      expect.arrayContaining(['x-changed', 'x-form-version']),
    );
    expect(everyCall[id]?.refusals).toContain(409);
    await saveWithout(forms[id], all(forms[id], 1));
    const { version = '' } = await forms[id].read();
    const named = version.split(',').map((field) => field.split(':')[0]);
    expect(named).toEqual(expect.arrayContaining([...fields]));
    expect(Object.keys(forms[id].values).sort()).toEqual([...fields].sort());
  });

  test.each(formCalls)(
    'keeps in $id what others have saved since of other fields',
    async ({ id }) => {
      const form = forms[id];
      await saveWithout(form, all(form, 1));
      const { version, stored } = await form.read();
      // Each of them on a device of its own.
      for (const field of Object.keys(form.values)) {
        const changes = part(all(form, 0), field);
        const { statusCode, body } = await form.save(changes, stored, headersOf(version, changes));
        expect([statusCode, body]).toEqual([200, expect.anything()]);
      }
      expect((await form.read()).stored).toMatchObject(all(form, 0));
    },
  );

  test.each(formCalls)(
    'is refused in $id where the same field was changed since, until it has heard of that',
    async ({ id, fields }) => {
      const form = forms[id];
      await saveWithout(form, all(form, 1));
      const { version, stored } = await form.read();
      const first = all(form, 0);
      // The second time as after an answer that was lost.
      for (const _ of ['once', 'again'])
        expect((await form.save(first, stored, headersOf(version, first))).statusCode).toBe(200);
      for (const field of fields) {
        const second = part(all(form, 1), field);
        const refused = await form.save(second, stored, headersOf(version, second));
        expect([refused.statusCode, refused.refusal()]).toMatchObject([
          409,
          { extras: { code: 'changedMeanwhile' }, errors: [{ field }] },
        ]);
      }
      const now = await form.read();
      expect(now.stored).toMatchObject(first);
      const second = all(form, 1);
      const heard = await form.save(second, now.stored, headersOf(now.version, second));
      expect([heard.statusCode, (await form.read()).stored]).toMatchObject([200, second]);
    },
  );

  test.each(formCalls)('of version 0.2.0 is saved whole in $id', async ({ id }) => {
    const form = forms[id];
    for (const at of [1, 0] as const) {
      await saveWithout(form, all(form, at));
      expect((await form.read()).stored).toMatchObject(all(form, at));
    }
  });
});
