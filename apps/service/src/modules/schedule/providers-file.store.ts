import { sql } from 'drizzle-orm';

import { providerPolicy } from './schema.ts';
import { recordsProvider } from '../../schema.ts';
import { identifier, providerStatus, words, yesOrNo } from '../../server/csv-fields.ts';
import { type Importing, doubled } from '../../server/csv-import.ts';

interface ProviderRow {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status: string;
  readonly disabled: boolean;
  readonly comment: string;
  readonly hidden: boolean;
  readonly familyOnly: boolean;
  readonly noPcp: boolean;
}

/** Doctors and nurse practitioners, with what the clinic decides about each. */
export const providersFile: Importing<ProviderRow> = {
  what: 'providers',
  columns: {
    id: identifier,
    firstName: words(60),
    lastName: words(60),
    status: providerStatus,
    disabled: yesOrNo,
    comment: words(200, { empty: true }),
    hidden: yesOrNo,
    familyOnly: yesOrNo,
    noPcp: yesOrNo,
  },
  check: async (_tx, rows) => doubled(rows, 'id'),
  async write(tx, rows) {
    await tx
      .insert(recordsProvider)
      .values(
        rows.map(({ id, firstName, lastName, status }) => ({ id, firstName, lastName, status })),
      )
      .onConflictDoUpdate({
        target: recordsProvider.id,
        set: {
          firstName: sql`excluded.first_name`,
          lastName: sql`excluded.last_name`,
          status: sql`excluded.status`,
        },
      });
    await tx
      .insert(providerPolicy)
      .values(
        rows.map(({ id, disabled, comment, hidden, familyOnly, noPcp }) => ({
          providerId: id,
          disabled,
          comment,
          hidden,
          familyOnly,
          noPcp,
        })),
      )
      .onConflictDoUpdate({
        target: providerPolicy.providerId,
        set: {
          disabled: sql`excluded.disabled`,
          comment: sql`excluded.comment`,
          hidden: sql`excluded.hidden`,
          familyOnly: sql`excluded.family_only`,
          noPcp: sql`excluded.no_pcp`,
        },
      });
  },
};
