import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mistakesInMigrations } from './migrations-only-add.mjs';

const FILE = 'apps/service/migrations/0010_next.sql';
const mistakesOf = (...texts) =>
  mistakesInMigrations(
    texts.map((_text, at) => FILE.replace('0010', `001${at}`)),
    (path) => texts[Number(path.at(-10))],
  );

test('what the version before cannot live with is reported', () => {
  for (const statement of [
    'ALTER TABLE "appointment" RENAME TO "booking"',
    'ALTER TABLE "appointment" RENAME COLUMN "state" TO "status"',
    'ALTER TABLE "appointment" DROP COLUMN "state"',
    'ALTER TABLE "appointment" ADD COLUMN "room" text NOT NULL',
    'ALTER TABLE "appointment" ALTER COLUMN "reason" SET NOT NULL',
    'ALTER TABLE "appointment" ALTER COLUMN "reason" SET DATA TYPE integer',
    `ALTER TABLE "appointment" ADD CONSTRAINT "short" CHECK (end_s < start_s + 3600)`,
    'CREATE UNIQUE INDEX "one_reason" ON "appointment" USING btree ("reason")',
    'DROP TABLE "session"',
    'DROP INDEX "busy_span_source"',
    'DROP TRIGGER "provider_changed" ON "provider"',
    'DELETE FROM "outbox"',
    'TRUNCATE "outbox"',
  ])
    assert.equal(mistakesOf(statement).length, 1, statement);
});

test('what only adds is taken', () => {
  for (const statement of [
    'CREATE TABLE "room" ("id" uuid PRIMARY KEY NOT NULL, "name" text NOT NULL)',
    'ALTER TABLE "appointment" ADD COLUMN "room" text',
    `ALTER TABLE "appointment" ADD COLUMN "room" text DEFAULT 'a; b' NOT NULL`,
    'CREATE INDEX "by_reason" ON "appointment" USING btree ("reason")',
    `INSERT INTO "slot_code" VALUES ('R')`,
    `UPDATE "outbox" SET "kind" = 'other'`,
    'CREATE OR REPLACE FUNCTION "f"() RETURNS trigger AS $$ BEGIN DELETE FROM x; RETURN NEW; END $$ LANGUAGE plpgsql',
    '-- DROP TABLE "session";\nSELECT 1',
  ])
    assert.deepEqual(mistakesOf(statement), [], statement);
});

test('a table or column that is new itself may be bound and changed, here and later', () => {
  const made = `CREATE TABLE "room" ("id" uuid);--> statement-breakpoint
    ALTER TABLE "appointment" ADD COLUMN "room_id" uuid;--> statement-breakpoint
    ALTER TABLE "appointment" ADD CONSTRAINT "in_room" FOREIGN KEY ("room_id") REFERENCES "room"("id");`;
  const later = `ALTER TABLE "room" ADD COLUMN "name" text NOT NULL;--> statement-breakpoint
    CREATE UNIQUE INDEX "one_name" ON "room" USING btree ("name");--> statement-breakpoint
    CREATE UNIQUE INDEX "one_in_room" ON "appointment" USING btree ("room_id");`;
  assert.deepEqual(mistakesOf(made, later), []);
});

test('a constraint, trigger or index that is put in again, wider, is taken', () => {
  const widened = `DROP INDEX "email_to";--> statement-breakpoint
    CREATE UNIQUE INDEX "email_to" ON "email" USING btree ("to") WHERE sent;--> statement-breakpoint
    ALTER TABLE "email" DROP CONSTRAINT "email_kind";--> statement-breakpoint
    ALTER TABLE "email" ADD CONSTRAINT "email_kind" CHECK (kind in ('a', 'b'));--> statement-breakpoint
    DROP TRIGGER "t" ON "email";--> statement-breakpoint
    CREATE TRIGGER "t" AFTER INSERT ON "email" EXECUTE FUNCTION "f"();`;
  assert.deepEqual(mistakesOf(widened), []);
});

test('the migrations of 0.2.0 itself are left as they are', () => {
  const path = 'apps/service/migrations/0004_provider.sql';
  assert.deepEqual(
    mistakesInMigrations([path], () => 'DROP TABLE "provider"'),
    [],
  );
});
