import type { ReactNode } from 'react';
import { DataTable } from '../../shared/data-table.tsx';
import styles from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { t } from '../../shared/words.ts';

interface Series {
  readonly name: string;
  /** Formats a value; by default the number itself. */
  readonly say?: (value: number) => string;
}

export interface BarRow {
  readonly key: string;
  readonly name: string;
  /** One value for each series. */
  readonly values: readonly number[];
  /** Texts of the columns between the values and the bar. */
  readonly also?: readonly string[];
}

interface BarsProps {
  title: string;
  about?: ReactNode;
  /** What the table is called, where that is more than the title. */
  caption?: string;
  /** Chooses what is shown. */
  children?: ReactNode;
  /** Heading of the column with the rows' names. */
  rowName: string;
  /** At most two: a full bar, and a hollow one after it. */
  series: readonly Series[];
  alsoNames?: readonly string[];
  rows: readonly BarRow[];
  /** Value at the end of the scale; by default the longest bar. */
  most?: number;
}

/** A bar diagram as a table: each row has its bar beside its numbers. */
export function Bars(props: BarsProps) {
  const {
    title,
    about,
    caption = title,
    children,
    rowName,
    series,
    alsoNames = [],
    rows,
    most,
  } = props;
  const sums = rows.map(({ values }) => values.reduce((all, each) => all + each, 0));
  const scale = Math.max(most ?? 0, ...sums, 1);
  const isLegend = series.length > 1;
  return (
    <Section title={title} about={about}>
      {children}
      <DataTable caption={caption}>
        <thead>
          <tr>
            <th scope="col">{rowName}</th>
            {series.map(({ name }, at) => (
              <th key={name} scope="col" className={styles.number}>
                {isLegend && <span className={styles.swatch} data-series={at} aria-hidden="true" />}
                {name}
              </th>
            ))}
            {alsoNames.map((name) => (
              <th key={name} scope="col" className={styles.number}>
                {name}
              </th>
            ))}
            <td className={styles.bars} aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, values, also = [] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={series[at]?.name} className={styles.number}>
                  {series[at]?.say?.(value) ?? value}
                </td>
              ))}
              {also.map((words, at) => (
                <td key={alsoNames[at]} className={styles.number}>
                  {words}
                </td>
              ))}
              <td className={styles.bars} aria-hidden="true">
                <Bar values={values} scale={scale} />
              </td>
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={2 + series.length + alsoNames.length}>{t('desk.reports.nothing')}</td>
            </tr>
          )}
        </tbody>
      </DataTable>
    </Section>
  );
}

const WIDTH = 100;
const HEIGHT = 18;
/** Space for the outline of a hollow bar. */
const LINE = 2;

function Bar({ values, scale }: { values: readonly number[]; scale: number }) {
  const [full = 0, hollow = 0] = values.map((value) => (value / scale) * WIDTH);
  return (
    <svg
      className={styles.bar}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      focusable="false"
    >
      {full > 0 && <rect className={styles.solid} width={full} height={HEIGHT} />}
      {hollow > 0 && (
        <rect
          className={styles.hollow}
          x={full}
          y={LINE / 2}
          width={hollow}
          height={HEIGHT - LINE}
        />
      )}
    </svg>
  );
}
