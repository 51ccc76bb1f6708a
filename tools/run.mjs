// node tools/run.mjs <script> [arguments]: installs if needed, then runs the script with the product's Node.
// A shell that found another `node` before the install would keep using that one.
import { ensureInstalled } from './ensure.mjs';
import { environment, nodePath } from './node-path.mjs';
import { runInForeground } from './foreground.mjs';

try {
  ensureInstalled();
  const args = process.argv.slice(2);
  process.exitCode = await runInForeground(nodePath(), args, { env: environment() });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
