// npm start: installs and builds what is missing, then runs the practice clinic.
// npm run dev: the same clinic, restarted at each change, behind Vite's server.
// Plain JavaScript with built-ins only.
import { join } from 'node:path';

import ensureAllIsBuilt from './build.mjs';
import { ensureInstalled } from './ensure.mjs';
import { runTogether } from './foreground.mjs';
import { environment, nodePath, root } from './node-path.mjs';

function startCommand() {
  ensureAllIsBuilt();
  return [[nodePath(), [join(root, 'dist/practice.mjs')], { cwd: root, env: environment() }]];
}

function devCommands() {
  const main = join(root, 'apps/practice/src/main.ts');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  return [
    [nodePath(), ['--watch', '--watch-preserve-output', main], { cwd: root, env: environment() }],
    [nodePath(), [vite, '--port', '5173'], { cwd: join(root, 'apps/web'), env: environment() }],
  ];
}

try {
  ensureInstalled();
  const dev = process.argv.includes('--dev');
  process.exitCode = await runTogether(dev ? devCommands() : startCommand());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
