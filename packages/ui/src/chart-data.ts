export interface ChartSeries {
  readonly name: string;
  /** Formats a value; by default the number itself. */
  readonly say?: (value: number) => string;
}

export interface ChartRow {
  readonly key: string;
  readonly name: string;
  /** One for each series; null where it is not known. */
  readonly values: readonly (number | null)[];
  /** Texts of further columns of the table. */
  readonly also?: readonly string[];
}

export interface ChartData {
  readonly series: readonly ChartSeries[];
  readonly rows: readonly ChartRow[];
  /** The value at the end of the scale; by default the largest. */
  readonly most?: number | undefined;
}

const UNKNOWN = '–';

export const sayOf = ({ say = String }: ChartSeries, value: number | null): string =>
  value === null ? UNKNOWN : say(value);
