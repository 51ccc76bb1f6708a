import { spawn } from 'node:child_process';

import { environment, root } from './node-path.mjs';

const types = (folder) => ({
  name: `types ${folder}`,
  args: ['node_modules/typescript/bin/tsc', '-p', folder],
});

/** The long ones first, so that two at a time end together. */
const checks = [
  types('apps/web'),
  {
    name: 'format',
    args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  },
  { name: 'lint and arrows', args: ['node_modules/oxlint/bin/oxlint'] },
  { name: 'probes', args: ['tools/probe-boundaries.mjs'] },
  { name: 'types of calls', args: ['tools/probe-types.mjs'] },
  types('apps/service'),
  types('apps/practice'),
  types('apps/cli'),
  types('packages/contract'),
  types('packages/domain'),
  types('packages/domain/tsconfig.pure.json'),
  types('e2e'),
  types('bench'),
  types('tools'),
  { name: 'test files', args: ['tools/check-files.mjs'] },
  { name: 'spec-map', args: ['tools/check-spec-map.mjs'] },
  { name: 'tools', args: ['--test', 'tools/*.test.mjs'] },
];

function run({ name, args }) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env: environment() });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += chunk));
    }
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const passed = code === 0;
      console.log(`  ${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (!passed) console.log(output.replaceAll(/^/gm, '    '));
      resolve(passed);
    });
  });
}

/** Runs every check, two at a time; gives how many passed and failed. */
export async function runChecks() {
  const waiting = [...checks];
  const results = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      results.push(await run(check));
    }
  };
  await Promise.all([worker(), worker()]);
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}
