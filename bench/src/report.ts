/** One measured row: ours beside the limit that was measured in the same run. */
export interface Row {
  readonly name: string;
  readonly ours: Figure;
  /** What bounds it: an aim of docs/performance.md, or a measurement of this run. */
  readonly limit: { readonly what: string; readonly value: number };
  /** 'under': ours should stay below the limit; a number: ours / limit should reach it. */
  readonly aim: 'under' | number;
}

export interface Figure {
  readonly unit: 'ms' | '/s' | 'kB' | 'MB' | '×';
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
}

export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export function figure(unit: Figure['unit'], samples: readonly number[]): Figure {
  return {
    unit,
    median: quantile(samples, 0.5),
    p10: quantile(samples, 0.1),
    p90: quantile(samples, 0.9),
  };
}

/** 100000 is '100,000'. */
export const grouped = (value: number) =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');

const short = (value: number) => (value >= 1000 ? grouped(value) : value.toPrecision(3));

export function reached({ ours, limit, aim }: Row): boolean {
  return aim === 'under' ? ours.median <= limit.value : ours.median / limit.value >= aim;
}

export function line(row: Row): string {
  const { name, ours, limit, aim } = row;
  const spread = ours.p10 === ours.p90 ? '' : ` (${short(ours.p10)}-${short(ours.p90)})`;
  const ratio = short(ours.median / limit.value);
  const wanted = aim === 'under' ? '≤ 1' : `≥ ${aim}`;
  return [
    reached(row) ? 'ok  ' : 'MISS',
    name.padEnd(52),
    `${short(ours.median)} ${ours.unit}${spread}`.padEnd(30),
    `${limit.what}: ${short(limit.value)} ${ours.unit}`.padEnd(44),
    `ratio ${ratio} (${wanted})`,
  ].join(' ');
}
