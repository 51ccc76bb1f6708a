import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { testApp } from '../testing/index.ts';
import { createMetrics } from './metrics.ts';

const ops = (name: string) =>
  readFileSync(new URL(`../../../ops/${name}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
interface RuleTest {
  readonly promql_expr_test: readonly {
    readonly expr: string;
    readonly exp_samples: readonly { readonly value: number }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const rules = (
  parse(ops('prometheus/alerts.yml')) as { readonly groups: readonly { readonly rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** The metrics that a query asks for. */
function metricsIn(query: string): string[] {
  // Grafana fills this in.
  const written = query.replaceAll('$__rate_interval', '5m');
  const found: string[] = [];
  parser
    .configure({ strict: true })
    .parse(written)
    .iterate({
      enter({ name, from, to }) {
        if (name === 'VectorSelector') found.push(/^\w+/.exec(written.slice(from, to))?.[0] ?? '');
      },
    });
  return found;
}

/** The names of all that Prometheus may be told, and of what it knows by itself. */
async function told() {
  let metrics: ReturnType<typeof createMetrics> | undefined;
  const clinic = await testApp({ hearing: (log) => (metrics = createMetrics(log)).log });
  const text = await metrics?.tell(clinic.platform, { skew: () => 0 });
  metrics?.close();
  await clinic.close();
  const types = [...(text ?? '').matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const names = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  );
  return new Set([...names, 'up']);
}

test('Every query of the dashboard and of the alerts asks for metrics that there are', async () => {
  const { panels } = JSON.parse(ops('grafana/clinic.json')) as Dashboard;
  const queries = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...rules.map(({ expr }) => expr),
  ];
  const names = await told();
  const unknown = queries.flatMap((query) => metricsIn(query).filter((name) => !names.has(name)));
  expect(unknown).toEqual([]);
  expect(queries.length).toBeGreaterThan(40);
});

test('Every metric of the clinic is on the dashboard', async () => {
  const dashboard = ops('grafana/clinic.json');
  const clinics = [...(await told())]
    .filter((name) => name.startsWith('clinic_'))
    .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
  expect(clinics.filter((name) => !dashboard.includes(name))).toEqual([]);
});

test('Every alert has a test in which it keeps quiet and one in which it fires', () => {
  const { tests } = parse(ops('prometheus/alerts.test.yml')) as { readonly tests: RuleTest[] };
  const shown = tests.flatMap(({ promql_expr_test: asked }) =>
    asked.map(({ expr, exp_samples: [sample] }) => [
      /alertname="(\w+)",alertstate="firing"/.exec(expr)?.[1],
      sample?.value,
    ]),
  );
  for (const { alert } of rules)
    expect(shown).toEqual(
      expect.arrayContaining([
        [alert, 0],
        [alert, 1],
      ]),
    );
});

test('A query with a mistake in it is found', () => {
  expect(() => metricsIn('sum by (le (rate(clinic_x[5m]))')).toThrow('No parse');
  expect(metricsIn('sum by (le) (rate(clinic_x{a="b"}[5m])) / up')).toEqual(['clinic_x', 'up']);
});
