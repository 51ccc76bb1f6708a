// npm run screens [-- fr [desk]]: takes a screenshot of every screen and state, or of those of the front desk,
// at three widths, light and dark, into screens/. They are for people to look at: nothing fails because a picture changed.
import { join } from 'node:path';

import ensureAllIsBuilt from './build.mjs';
import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

ensureAllIsBuilt();
const script = join(root, 'e2e/src/screenshots/take.ts');
process.exitCode = await runInForeground(process.execPath, [script, ...process.argv.slice(2)], {
  env: environment(),
});
