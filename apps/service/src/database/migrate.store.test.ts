import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { expect, test } from 'vitest';
import { createPglite } from './engine-pglite.ts';
import { migratePglite, migrationsFolder } from './migrate.ts';

/** The migrations before the one of this name, in a folder of their own. */
function migrationsBefore(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'older-migrations-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  const path = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag.endsWith(name));
  expect(end).toBeGreaterThan(0);
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  return folder;
}

// Shows: R-97
test('An older database keeps its accounts, and who had signed up still waits (R-97)', async () => {
  const folder = migrationsBefore('_pending_sign_ups');
  const client = await createPglite({});
  const db = drizzle({ client });
  try {
    await migrate(db, { migrationsFolder: folder });
    const account = (name: string, confirmed: boolean, blocked = false) =>
      db.execute(sql`
        insert into patient (id, email, password_hash, email_confirmed, record_id, first_name,
          last_name, sex, birth_date, address, city, province, postal, country, card_province,
          card_sealed, card_index, eligibility, blocked, created_at_s)
        values (gen_random_uuid(), ${name}, 'hash', ${confirmed}, ${name}, ${name}, '', '',
          '1990-01-01', '', '', '', '', '', 'BC', '\\x01', convert_to(${name}, 'utf8'), 'E',
          ${blocked}, 7)`);
    await account('open', true);
    await account('waits', false);
    await account('blocked', false, true);
    const id = await db.execute(sql`select id from patient where email = 'waits'`);
    await migratePglite(db);
    const accounts = await db.execute(sql`select email from patient order by email`);
    expect(accounts.rows).toEqual([{ email: 'blocked' }, { email: 'open' }]);
    const forms = await db.execute(
      sql`select id, email, password_hash, card_sealed, tries, expires_at_s from pending_sign_up`,
    );
    expect(forms.rows).toEqual([
      {
        ...id.rows[0],
        email: 'waits',
        password_hash: 'hash',
        card_sealed: Uint8Array.of(1),
        tries: 0,
        expires_at_s: null,
      },
    ]);
  } finally {
    await client.close();
    rmSync(folder, { recursive: true });
  }
});
