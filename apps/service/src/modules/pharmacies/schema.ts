import { pgTable, text } from 'drizzle-orm/pg-core';

export const pharmacy = pgTable('pharmacy', {
  id: text().primaryKey(),
  name: text().notNull(),
  address: text().notNull(),
  fax: text().notNull(),
  phone: text().notNull(),
});
