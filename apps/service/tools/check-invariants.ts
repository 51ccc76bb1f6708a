import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { violations } from '../src/database/invariants.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { run } from '../src/database/statement.ts';

// npm run check:invariants: asks the database of DATABASE_URL, or that of the data folder, whether
// everything is true that must be (docs/booking-and-payment.md). Ends with 1 when something is not.
const { DATABASE_URL: url, DATA_DIR: folder } = process.env;
const dataDir = folder ?? join(import.meta.dirname, '../../../data');
if (url === undefined && !existsSync(dataDir)) {
  console.error(`There is no database: DATABASE_URL is not set and ${dataDir} does not exist`);
  process.exit(1);
}
const database = await openDatabase(url === undefined ? { dataDir } : { url });
try {
  const found = await violations(
    (text, parameters) => run(database.db, { name: '', text }, parameters),
    Math.floor(Date.now() / 1000),
  );
  for (const violation of found) console.log(violation);
  console.log(found.length === 0 ? 'All invariants hold' : `${found.length} violations`);
  process.exitCode = found.length === 0 ? 0 : 1;
} finally {
  await database.close();
}
