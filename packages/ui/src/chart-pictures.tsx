import { type ChartData, type ChartRow, type ChartSeries, sayOf } from './chart-data.ts';
import styles from './chart.module.css';

const sum = ({ values }: ChartRow) => values.reduce<number>((all, each) => all + (each ?? 0), 0);
const largest = (numbers: readonly number[], most = 0) => Math.max(most, ...numbers, 0) || 1;

/** Lengths are in hundredths of the space that a picture has. */
const WHOLE = 100;
/** Space for the outline of a hollow bar. */
const LINE = 2;
const BAR_HEIGHT = 18;

/** A bar for each row; several series follow each other on it. */
export function Bars({ series, rows, most }: ChartData) {
  const scale = largest(rows.map(sum), most);
  return (
    <>
      {series.length > 1 && <Legend series={series} is="swatch" />}
      <div className={styles.bars}>
        {rows.map((row) => (
          <div key={row.key} className={styles.row}>
            <span className={styles.name}>{row.name}</span>
            <svg
              className={styles.bar}
              viewBox={`0 0 ${WHOLE} ${BAR_HEIGHT}`}
              preserveAspectRatio="none"
            >
              {series.map(({ name }, at) => {
                const before = row.values
                  .slice(0, at)
                  .reduce<number>((all, each) => all + (each ?? 0), 0);
                const width = ((row.values[at] ?? 0) / scale) * WHOLE;
                if (width === 0) return null;
                return (
                  <rect
                    key={name}
                    data-series={at}
                    x={(before / scale) * WHOLE}
                    width={width}
                    y={at === 0 ? 0 : LINE / 2}
                    height={at === 0 ? BAR_HEIGHT : BAR_HEIGHT - LINE}
                  />
                );
              })}
            </svg>
            <span className={styles.value}>
              {series.map((each, at) => sayOf(each, row.values[at] ?? null)).join(' + ')}
            </span>
          </div>
        ))}
      </div>
    </>
  );
}

/** A line for each series, over the rows in their order. */
export function Line({ series, rows, most }: ChartData) {
  const scale = largest(
    rows.flatMap(({ values }) => values.map((value) => value ?? 0)),
    most,
  );
  const x = (at: number) => ((at + 0.5) / rows.length) * WHOLE;
  const y = (value: number) => WHOLE - (value / scale) * WHOLE;
  const shown = [rows[0], rows[Math.floor((rows.length - 1) / 2)], rows.at(-1)];
  return (
    <>
      {series.length > 1 && <Legend series={series} is="stroke" />}
      <div className={styles.line}>
        <span className={styles.top}>{series[0] && sayOf(series[0], scale)}</span>
        <span className={styles.bottom}>{series[0] && sayOf(series[0], 0)}</span>
        <svg viewBox={`0 0 ${WHOLE} ${WHOLE}`} preserveAspectRatio="none">
          {[0, WHOLE / 2, WHOLE].map((at) => (
            <path key={at} className={styles.grid} d={`M0 ${at}H${WHOLE}`} />
          ))}
          {series.map(({ name }, of) => {
            const points = rows.flatMap(({ key, values }, at) => {
              const value = values[of] ?? null;
              return value === null ? [] : [{ key, at: `${x(at)} ${y(value)}` }];
            });
            return (
              <g key={name} data-series={of}>
                <path className={styles.stroke} d={`M${points.map(({ at }) => at).join('L')}`} />
                {points.map(({ key, at }) => (
                  <path key={key} className={styles.point} d={`M${at}h0`} />
                ))}
              </g>
            );
          })}
        </svg>
        <div className={styles.axis}>
          {[...new Set(shown)].map((row) => row && <span key={row.key}>{row.name}</span>)}
        </div>
      </div>
    </>
  );
}

function Legend({ series, is }: { series: readonly ChartSeries[]; is: 'swatch' | 'stroke' }) {
  return (
    <div className={styles.legend}>
      {series.map(({ name }, at) => (
        <span key={name}>
          <svg className={styles.sample} viewBox="0 0 26 14" data-sample="">
            <g data-series={at}>
              {is === 'swatch' ? (
                <rect data-series={at} x="1" y="1" width="24" height="12" />
              ) : (
                <path className={styles.stroke} d="M1 7H25" />
              )}
            </g>
          </svg>
          {name}
        </span>
      ))}
    </div>
  );
}

const BOX = { width: 46, height: 30 };
const NAMES = 90;
const HEADS = 24;
/** How dark a box is, from none to the most. */
const SHADES = 4;

/** A field of boxes, the darker the larger the value, which stands in it. */
export function Heat({ series, rows, most }: ChartData) {
  const scale = largest(
    rows.flatMap(({ values }) => values.map((value) => value ?? 0)),
    most,
  );
  const width = NAMES + series.length * BOX.width;
  const height = HEADS + rows.length * BOX.height;
  return (
    <svg className={styles.heat} viewBox={`0 0 ${width} ${height}`} style={{ width }}>
      {series.map(({ name }, at) => (
        <text key={name} x={NAMES + (at + 0.5) * BOX.width} y={HEADS - 8} textAnchor="middle">
          {name}
        </text>
      ))}
      {rows.map(({ key, name, values }, row) => (
        <g key={key} transform={`translate(0 ${HEADS + row * BOX.height})`}>
          <text y={BOX.height / 2 + 5}>{name}</text>
          {series.map((each, at) => {
            const value = values[at] ?? 0;
            const left = NAMES + at * BOX.width;
            return (
              <g key={each.name} data-shade={Math.ceil((value / scale) * SHADES)}>
                <rect x={left + 1} y={1} width={BOX.width - 2} height={BOX.height - 2} rx={4} />
                <text x={left + BOX.width / 2} y={BOX.height / 2 + 5} textAnchor="middle">
                  {value > 0 && sayOf(each, value)}
                </text>
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}
