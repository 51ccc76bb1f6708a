import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeptReports } from '../testing/kept-reports.ts';
import { createLog } from '../src/server/log.ts';
import { type TestApp, requestOf, signIn } from '../testing/index.ts';
import { everyCall } from './every-call.ts';
import { textPlaces, withValueAt } from './places.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

/**
 * S-8: a text of its own is sent at every place of every call where a text may stand, whether the
 * call takes it or refuses it, and then looked for wherever it must not be.
 */
let clinic: TwoPatients;
/** Canary -> where it was sent. */
const sent = new Map<string, string>();
beforeAll(async () => {
  clinic = await twoPatients();
  for (const call of everyCall) for (const place of textPlaces(call)) await release(call.id, place);
  await clinic.platform.outbox.drain();
});
afterAll(() => clinic.close());

const CANARY = /canary-\d{4}-of-[a-z]+/g;

async function release(id: (typeof everyCall)[number]['id'], place: string): Promise<void> {
  const canary = `canary-${String(sent.size + 1000)}-of-${id.toLowerCase()}`;
  sent.set(canary, `${id} ${place}`);
  const request = validRequests[id](clinic);
  // Calls that end a session must not end that of the next.
  const token = request.token && (await signIn(clinic, clinic.asker.row));
  const spoken = withValueAt({ ...request, ...(token && { token }) }, place, canary);
  await clinic.app.inject(requestOf(id, spoken));
}

/** What the service would have printed. */
function printed({ log }: TestApp): string {
  const lines: string[] = [];
  const real = createLog({ destination: { write: (line) => void lines.push(line) } });
  for (const line of log.lines) real.request(line);
  for (const { code, error } of log.failures) real.error(code, error);
  return lines.join('');
}

/** The columns in which a canary stands, as it was sent or as its bytes. */
async function columnsWithCanaries(): Promise<Map<string, string[]>> {
  const { db } = clinic.database;
  const { rows: columns } = await db.execute<{ of: string; name: string }>(
    sql`select table_name as of, column_name as name from information_schema.columns
         where table_schema = 'public' order by 1, 2`,
  );
  const found = new Map<string, string[]>();
  for (const { of, name } of columns) {
    const { rows } = await db.execute<{ kept: string }>(
      sql`select ${sql.identifier(name)}::text as kept from ${sql.identifier(of)}
           where ${sql.identifier(name)} is not null`,
    );
    const text = rows.map(
      ({ kept }) => `${kept}\n${Buffer.from(kept.replace(/^\\x/, ''), 'hex').toString('latin1')}`,
    );
    const canaries = text.join('\n').match(CANARY);
    if (canaries) found.set(`${of}.${name}`, [...new Set(canaries)]);
  }
  return found;
}

// Shows: S-8
test('what patients send is in no line of the log', () => {
  const log = printed(clinic);
  expect(log.split('\n').length).toBeGreaterThan(sent.size);
  expect(log.match(CANARY)).toBeNull();
});

// Shows: S-8
test('what patients send is in no email, and in none of its headers', () => {
  expect(clinic.mail.sent.length).toBeGreaterThan(2);
  expect(JSON.stringify(clinic.mail.sent).match(CANARY)).toBeNull();
});

// Shows: S-8
test('what patients send is in no report of a failure', () => {
  const reports = clinic.platform.reports as KeptReports | undefined;
  expect(reports?.last).not.toHaveLength(0);
  expect(JSON.stringify(reports?.last).match(CANARY)).toBeNull();
});

// Shows: S-13
test('what patients send stands in the clear only where it is meant to (S-13)', async () => {
  const found = await columnsWithCanaries();
  process.stdout.write(
    `canaries: ${sent.size} values, ${everyCall.length} calls, 4 kinds of sinks\n`,
  );
  expect([...found.keys()]).toEqual([
    // Chosen by the browser, not by the patient.
    'appointment.request_key',
    'patient.city',
    'pending_sign_up.address',
    'pending_sign_up.city',
    'pending_sign_up.first_name',
    'pending_sign_up.last_name',
  ]);
});

test('a canary that stood elsewhere would be found', async () => {
  await clinic.database.inTransaction((tx) =>
    tx.execute(sql`insert into installation (key, value) values ('bird', 'canary-9999-of-test')`),
  );
  expect((await columnsWithCanaries()).get('installation.value')).toEqual(['canary-9999-of-test']);
});
