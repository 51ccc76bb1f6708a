import assert from 'node:assert/strict';
import { test } from 'node:test';

import { violationsIn } from './check-structure.mjs';

const service = 'apps/service/src';
const schema = {
  path: `${service}/modules/pharmacies/schema.ts`,
  text: `export const pharmacy = pgTable('pharmacy', {});`,
};

/** What is reported for these files, as `path:line rule`. */
const reported = (...files) =>
  violationsIn(files.map(([path, text]) => ({ path, text })).concat(schema)).map(
    ({ path, line, rule }) => `${path.replace(`${service}/`, '')}:${line} ${rule}`,
  );

test('a table that is named outside its module is reported', () => {
  assert.deepEqual(
    reported(
      [
        `${service}/modules/pharmacies/pharmacies.store.ts`,
        'const all = `select * from pharmacy`;',
      ],
      [`${service}/modules/patients/patients.store.ts`, 'const all =\n  `select * from pharmacy`;'],
      [
        `${service}/modules/privacy/own-data.store.ts`,
        `import { pharmacy } from '../pharmacies/schema.ts';`,
      ],
    ),
    ['modules/patients/patients.store.ts:2 table', 'modules/privacy/own-data.store.ts:1 table'],
  );
});

test('a module that hands out its table is reported, and a fragment that it hands out is not', () => {
  assert.deepEqual(
    reported(
      [`${service}/modules/pharmacies/index.ts`, `export { pharmacy } from './schema.ts';`],
      [
        `${service}/modules/patients/patients.store.ts`,
        `import { pharmacyOf } from '../pharmacies/index.ts';\nconst one = sql\`select \${pharmacyOf}\`;`,
      ],
    ),
    ['modules/pharmacies/index.ts:1 table'],
  );
});

test('SQL outside a store is reported', () => {
  assert.deepEqual(
    reported(
      [`${service}/modules/patients/sign-in.ts`, 'const found = sql`select 1 from account`;'],
      [`${service}/modules/patients/sign-out.ts`, `await tx.delete(session).where(id);`],
      [`${service}/modules/patients/sessions.store.ts`, `await tx.delete(session).where(id);`],
      [`${service}/modules/patients/words.ts`, `const says = 'select a type';`],
    ),
    ['modules/patients/sign-in.ts:1 sql', 'modules/patients/sign-out.ts:1 sql'],
  );
});

test('a store with two styles of SQL is reported, and one of each is not', () => {
  const tagged = 'const found = sql(db)`select 1 from account`;';
  const built = 'await tx.delete(session).where(sql`true`);';
  assert.deepEqual(
    reported(
      [`${service}/modules/patients/store.ts`, `${tagged}\n${built}`],
      [`${service}/modules/patients/tagged.store.ts`, tagged],
      [`${service}/modules/patients/built.store.ts`, built],
    ),
    ['modules/patients/store.ts:2 style'],
  );
});

test('a method of a port that only tests and adapters call is reported', () => {
  assert.deepEqual(
    reported(
      [
        `${service}/modules/payments/gateway.ts`,
        'export interface Gateway {\n  charge(): void;\n  refund: () => void;\n  readonly name: string;\n}',
      ],
      [
        `${service}/adapters/gateway.ts`,
        `import type { Gateway } from '../modules/payments/gateway.ts';\nconst refund = (one: Gateway) => one.refund();`,
      ],
      [`${service}/modules/payments/pay.ts`, 'gateway.charge();'],
      [`${service}/modules/payments/pay.routes.test.ts`, 'gateway.refund();'],
    ),
    ['modules/payments/gateway.ts:3 port'],
  );
});

test('a module that imports one after it is reported', () => {
  assert.deepEqual(
    reported(
      [
        `${service}/modules/payments/pay.ts`,
        `import { reserve } from '../appointments/index.ts';\nimport { note } from '../privacy/index.ts';`,
      ],
      [`${service}/modules/schedule/index.ts`, `export { pay } from '../payments/index.ts';`],
      [`${service}/modules/unheard/index.ts`, `import { pay } from '../payments/index.ts';`],
      [`${service}/app.ts`, `import { pay } from './modules/payments/index.ts';`],
    ),
    [
      'modules/payments/pay.ts:2 order',
      'modules/schedule/index.ts:1 order',
      'modules/unheard/index.ts:1 order',
    ],
  );
});

test('a file of appointments that imports the EMR past the port is reported', () => {
  const appointments = `${service}/modules/appointments`;
  const emr = `import type { Emr } from '../records/emr.ts';`;
  assert.deepEqual(
    reported(
      [`${appointments}/ports.ts`, emr],
      [`${appointments}/cancel.ts`, emr],
      [`${appointments}/by-staff/a.ts`, `export { b } from '../../emr/index.ts';`],
      [`${appointments}/holds.ts`, `import { b } from '../records/index.ts';`],
      [`${service}/modules/schedule/a.ts`, emr],
    ),
    [
      'modules/appointments/by-staff/a.ts:1 order',
      'modules/appointments/cancel.ts:1 emr',
      'modules/appointments/by-staff/a.ts:1 emr',
    ],
  );
});

test('files that import each other in a circle are reported, also by a type or a lazy import', () => {
  assert.deepEqual(
    reported(
      [`${service}/server/a.ts`, `import type { B } from './b.ts';`],
      [`${service}/server/b.ts`, `export { c } from './c.ts';`],
      [`${service}/server/c.ts`, `const a = () => import('./a.ts');`],
      [`${service}/server/d.ts`, `import { c } from './c.ts';`],
      [`apps/cli/src/e.ts`, `import { f } from '@clinic/practice/f.ts';`],
      [`apps/practice/src/f.ts`, `import type { E } from '@clinic/cli/e.ts';`],
    ),
    [
      'server/a.ts:1 circle',
      'server/b.ts:1 circle',
      'server/c.ts:1 circle',
      'apps/cli/src/e.ts:1 circle',
      'apps/practice/src/f.ts:1 circle',
    ],
  );
});

test('an import from a higher layer is reported, also of a type', () => {
  assert.deepEqual(
    reported(
      [`${service}/server/http.ts`, `import type { Platform } from '../platform.ts';`],
      [`${service}/database/db.ts`, `import { emr } from '../modules/records/emr.ts';`],
      [`${service}/modules/schedule/routes.ts`, `import { app } from '../../app.ts';`],
      [`${service}/app.ts`, `import { serve } from './server/http.ts';`],
      ['apps/web/src/shared/a.ts', `import { pay } from '../features/pay.ts';`],
    ),
    [
      'server/http.ts:1 upward',
      'database/db.ts:1 upward',
      'modules/schedule/routes.ts:1 upward',
      'apps/web/src/shared/a.ts:1 upward',
    ],
  );
});

test('a folder of a module with more than 16 files is reported, its tests not counted', () => {
  const files = (folder, many) =>
    Array.from({ length: many }, (_, at) => [`${service}/modules/${folder}/${at}.ts`, '']);
  assert.deepEqual(
    reported(...files('schedule', 17), ...files('records', 16), ...files('records/sync', 16), [
      `${service}/modules/records/0.test.ts`,
      '',
    ]),
    ['modules/schedule/0.ts:1 size'],
  );
});

test('a file of more than 400 lines is reported, a test or a catalogue of texts is not', () => {
  const lines = (many) => 'const a = 1;\n'.repeat(many);
  assert.deepEqual(
    reported(
      [`${service}/server/a.ts`, lines(401)],
      [`${service}/server/b.ts`, lines(400)],
      [`${service}/server/b.test.ts`, lines(401)],
      ['apps/service/testing/c.ts', lines(401)],
      ['apps/desk/src/messages/d.ts', lines(401)],
      ['packages/ui/src/e.generated.ts', lines(401)],
      ['packages/ui/src/f.tsx', lines(402)],
    ),
    ['server/a.ts:1 long', 'packages/ui/src/f.tsx:1 long'],
  );
});

test("a column of an appointment's state that is named outside of its store is reported", () => {
  const appointments = `${service}/modules/appointments`;
  assert.deepEqual(
    reported(
      [`${appointments}/schema.ts`, `export const appointment = pgTable('appointment', {});`],
      [`${appointments}/state-columns.store.ts`, "export const isHold = part`c.state = 'held'`;"],
      [`${appointments}/listed.store.ts`, 'const all = part`select ${own.word} as state`;'],
      [`${appointments}/by-staff/a.store.ts`, "const all = part`where c.state = 'held'`;"],
      [
        `${appointments}/b.store.ts`,
        'const all =\n  part`where ${own.isHold} and not c.confirming`;',
      ],
      [`${appointments}/c.store.ts`, 'const all = part`where c.booked_by is not null`;'],
      [`${service}/modules/payments/store.ts`, "const all = part`where state = 'captured'`;"],
    ),
    [
      'modules/appointments/by-staff/a.store.ts:1 state',
      'modules/appointments/b.store.ts:2 state',
      'modules/appointments/c.store.ts:1 state',
    ],
  );
});

test('a statement that reads the copy of what is paid is reported', () => {
  assert.deepEqual(
    reported(
      [`${service}/modules/appointments/schema.ts`, "const paidCents = integer('paid_cents');"],
      [
        `${service}/modules/appointments/state-columns.store.ts`,
        'const none = part`paid_cents = 0`;',
      ],
      [`${service}/modules/appointments/store.ts`, 'const all =\n  part`select c.paid_cents`;'],
      [`${service}/modules/desk/day/a.store.ts`, 'const all = part`where paid_cents > 0`;'],
      [`${service}/modules/desk/day/b.store.ts`, 'const all = { paid: appointment.paidCents };'],
      [`${service}/modules/desk/day/c.store.test.ts`, 'const all = part`select paid_cents`;'],
    ),
    [
      'modules/appointments/store.ts:2 copy',
      'modules/desk/day/a.store.ts:1 copy',
      'modules/desk/day/b.store.ts:1 copy',
    ],
  );
});

test('a word of the old vocabulary in an identifier or a comment is reported', () => {
  assert.deepEqual(
    reported(
      [`${service}/a.ts`, '// The visit\nconst appointment = 1;'],
      [`${service}/b.ts`, 'const claimId = 1;'],
      [`${service}/c.ts`, 'interface WireUser {}'],
      [`${service}/d.ts`, `const text = 'a visit';`],
      [`${service}/e.ts`, '// An injury claim has a claim number.\nconst injuryClaim = 1;'],
      [`${service}/f.ts`, 'const cancelled = excellent;'],
      [`${service}/g.test.ts`, '// A visit'],
    ),
    ['a.ts:1 word', 'b.ts:1 word', 'c.ts:1 word'],
  );
});
