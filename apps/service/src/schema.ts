import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { seconds } from './database/column-types.ts';

/** Every table: drizzle-kit writes the migrations from this list (`npm run db:generate -w apps/service`). */
export * from './modules/records/schema.ts';
export * from './modules/schedule/schema.ts';
export * from './modules/appointments/schema.ts';
export * from './modules/emr/schema.ts';
export * from './modules/closings/schema.ts';
export * from './modules/payments/schema.ts';
export * from './modules/accounts/schema.ts';
export * from './modules/patients/schema.ts';
export * from './modules/documents/schema.ts';
export * from './modules/messages/schema.ts';
export * from './modules/feedback/schema.ts';
export * from './modules/pharmacies/schema.ts';
export * from './modules/immigration/schema.ts';
export * from './modules/staff/schema.ts';
export * from './security/schema.ts';
export * from './server/schema.ts';
export * from './database/schema.ts';

// The practice gateway's tables stand here because one chain of migrations makes every database.

export const practiceIntent = pgTable(
  'practice_intent',
  {
    id: text().primaryKey(),
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    payment: text(),
    amountCents: integer('amount_cents').notNull(),
    currency: text().notNull(),
    /** In Stripe's words. */
    status: text()
      .$type<
        | 'requires_payment_method'
        | 'requires_action'
        | 'requires_capture'
        | 'succeeded'
        | 'canceled'
      >()
      .notNull(),
    capturedCents: integer('captured_cents').notNull(),
    declined: jsonb().$type<{ code: string; message: string }>(),
    refund: jsonb().$type<{ status: 'pending' | 'succeeded' | 'failed'; amountCents: number }>(),
    createdAt: seconds('created_at_s').notNull(),
  },
  (t) => [index('practice_intent_payment').on(t.payment)],
);

export const practiceKey = pgTable('practice_key', {
  key: text().primaryKey(),
  request: text().notNull(),
  answer: jsonb().$type<Record<string, unknown>>().notNull(),
});

export const practiceEvent = pgTable('practice_event', {
  id: text().primaryKey(),
  position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  type: text().notNull(),
  intentId: text('intent_id').notNull(),
  createdAt: seconds('created_at_s').notNull(),
});
