import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './chart.module.css';
import { type ChartData, sayOf } from './chart-data.ts';
import { Bars, Heat, Line } from './chart-pictures.tsx';

export type { ChartData, ChartRow } from './chart-data.ts';

/** What a table shows of a chart: as many texts in a row as heads, less the row's name. */
export interface ChartTable {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly name: string;
    readonly texts: readonly string[];
  }[];
}

interface ChartProps extends ChartData {
  title: string;
  /** What the picture says, in words. */
  summary: ReactNode;
  /** Bars are stacked where there are several series; a heat map has a column for each. */
  kind: 'bars' | 'line' | 'heat';
  /** Head of the column with the rows' names. */
  rowName: string;
  alsoNames?: readonly string[];
  /** What the table is called, where that is more than the title. */
  caption?: string;
  /** Draws the table. */
  table: (table: ChartTable) => ReactNode;
  words: { readonly asTable: string; readonly asPicture: string; readonly nothing: string };
  /** Chooses what is shown. */
  children?: ReactNode;
}

const PICTURES = { bars: Bars, line: Line, heat: Heat };

/** Figures as a picture with its meaning in words, and as a table behind a button. */
export function Chart(props: ChartProps) {
  const { title, summary, kind, series, rows, most, words, children } = props;
  const { rowName, alsoNames = [], caption = title, table } = props;
  const titleId = useId();
  const [isTable, setIsTable] = useState(false);
  const Picture = PICTURES[kind];
  return (
    <section className={styles.chart} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <div className={styles.summary}>{summary}</div>
      {children}
      {rows.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <>
          {isTable ? (
            table({
              caption,
              heads: [rowName, ...series.map(({ name }) => name), ...alsoNames],
              rows: rows.map(({ key, name, values, also = [] }) => ({
                key,
                name,
                texts: [...series.map((each, at) => sayOf(each, values[at] ?? null)), ...also],
              })),
            })
          ) : (
            // What is wider than a phone scrolls by keys too.
            <div
              className={classNames(styles.picture, kind === 'heat' && styles.scroll)}
              role="img"
              aria-label={caption}
              {...(kind === 'heat' && { tabIndex: 0 })}
            >
              <Picture series={series} rows={rows} most={most} />
            </div>
          )}
          <div>
            <Button variant="secondary" onClick={() => setIsTable(!isTable)}>
              {isTable ? words.asPicture : words.asTable}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
