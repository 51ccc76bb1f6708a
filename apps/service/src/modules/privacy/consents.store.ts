import { desc, eq } from 'drizzle-orm';

import type { Db } from '../../database/db.ts';
import { agreement } from './schema.ts';

/** what was agreed to, the newest first; of one patient or of all. */
export const consentsOf = (db: Db, patientId: string | null, limit: number) =>
  db
    .select({
      patientId: agreement.patientId,
      kind: agreement.kind,
      version: agreement.version,
      textHash: agreement.textHash,
      at: agreement.at,
    })
    .from(agreement)
    .where(patientId === null ? undefined : eq(agreement.patientId, patientId))
    .orderBy(desc(agreement.at), desc(agreement.id))
    .limit(limit);
