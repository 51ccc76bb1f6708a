// npm run check: format, lint and arrows, probes, types, spec-map and the rule tests.
import { runChecks } from './checks.mjs';
import { runVitest } from './vitest-run.mjs';

const started = performance.now();
const checks = await runChecks();
const rules = await runVitest('rule');
const passed = checks.passed + rules.passed;
const failed = checks.failed + rules.failed;
console.log(
  `${passed} passed, ${failed} failed (${Math.round((performance.now() - started) / 1000)} s)`,
);
process.exitCode = failed === 0 && rules.passed > 0 ? 0 : 1;
