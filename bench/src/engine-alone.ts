import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';

/** The embedded engine by itself, with the extension of the practice clinic, on a folder of its own. */
const engine = await PGlite.create({
  dataDir: process.env.DATA_DIR ?? '',
  extensions: { btree_gist },
});
await engine.query('select 1');
process.stdout.write('Engine ready at its folder\n');
process.once('SIGTERM', () => {
  void engine.close().then(() => process.exit());
});
// It waits to be ended.
setInterval(() => undefined, 60_000);
