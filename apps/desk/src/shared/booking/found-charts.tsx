import type { Action } from '@clinic/app/use-action';
import { codeOf, messageOf } from '@clinic/app/api-error';
import type { ApiFoundChart, ApiFoundPatient, CallAnswer } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { type Ref, useState } from 'react';
import { ask } from '../api.ts';
import { Outcome, useAction } from '../desk-action.tsx';
import { t } from '../words.ts';
import { moveByArrows } from '../arrows.ts';
import styles from './booking.module.css';
import { FoundList } from './found-list.tsx';

type Found = CallAnswer<'deskFindCharts'>['extras'];

interface FoundChartsProps {
  search: Pick<Action<Found, string>, 'result' | 'error' | 'pending'>;
  /** Who is listed already, as they are known here. */
  listed: readonly ApiFoundPatient[];
  /** For the first one, where nobody is listed above. */
  comeIn: Ref<HTMLButtonElement> | undefined;
  /** Called with the account or record of whoever was chosen. */
  onPerson: (id: string) => void;
}

/** Whom the EMR has besides. Choosing one makes them known here, so that they can be booked. */
export function FoundCharts({ search, listed, comeIn, onPerson }: FoundChartsProps) {
  const { result, error, pending } = search;
  const [likely, setLikely] = useState<Likely>();
  const open = useAction({
    work: async (chosen: Chosen) => (await ask('deskOpenChart', { body: chosen })).extras,
    onDone({ person, likely: others }, { chart }) {
      if (person !== null) onPerson(person);
      else setLikely({ chart, others });
    },
  });
  if (pending) return <p className={styles.soft}>{t('desk.chartsAsking')}</p>;
  // It comes by itself, so that it does not take the focus.
  if (error !== null)
    return (
      <Notice kind="caution" role="status">
        <p>{whyNotAsked(error)}</p>
      </Notice>
    );
  if (result === undefined) return null;
  if (likely !== undefined)
    return (
      <section className={styles.stack} aria-label={t('desk.likelyTitle')}>
        <h3>{t('desk.likelyTitle')}</h3>
        <p>{t('desk.chartLikely', { chart: likely.chart })}</p>
        <FoundList
          patients={likely.others}
          label={t('desk.likelyTitle')}
          onPick={({ patientId, recordId }) =>
            open.run({ chart: likely.chart, same: patientId ?? recordId })
          }
        />
        <Outcome of={open} />
        <div className={styles.buttons}>
          <Button
            variant="secondary"
            busy={open.pending}
            busyLabel={t('desk.saving')}
            onClick={() =>
              open.run({
                chart: likely.chart,
                apartFrom: likely.others.map(({ recordId }) => recordId),
              })
            }
          >
            {t('desk.likelyNone')}
          </Button>
          <Button variant="quiet" onClick={() => setLikely(undefined)}>
            {t('desk.chartLikelyBack')}
          </Button>
        </div>
      </section>
    );
  const isListed = ({ known }: ApiFoundChart) =>
    known !== null && listed.some(({ recordId }) => recordId === known.recordId);
  const charts = result.charts.filter((chart) => !isListed(chart));
  const first = charts.find(({ state }) => state === 'active')?.chart;
  return (
    <>
      {charts.length > 0 && <h3>{t('desk.chartsFound')}</h3>}
      {charts.length > 0 && (
        <ul className={styles.choices} aria-label={t('desk.chartsFound')} onKeyDown={moveByArrows}>
          {charts.map((chart) => (
            <li key={chart.chart}>
              <Chart
                chart={chart}
                isFirst={chart.chart === first}
                comeIn={chart.chart === first ? comeIn : undefined}
                onPick={() => {
                  const { known } = chart;
                  if (known !== null) onPerson(known.patientId ?? known.recordId);
                  else open.run({ chart: chart.chart });
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <Outcome of={open} />
      {charts.length === 0 && (
        <Notice role="status">
          <p>{t(saidOfNone(result, listed))}</p>
        </Notice>
      )}
      {result.hasMore && <p className={styles.soft}>{t('desk.chartsMore')}</p>}
    </>
  );
}

interface Chosen {
  readonly chart: string;
  readonly same?: string;
  readonly apartFrom?: string[];
}

interface Likely {
  readonly chart: string;
  readonly others: CallAnswer<'deskOpenChart'>['extras']['likely'];
}

const saidOfNone = ({ isTooLittle, hasMore }: Found, listed: readonly unknown[]) =>
  isTooLittle
    ? 'desk.chartsTooLittle'
    : hasMore
      ? 'desk.chartsTooMany'
      : listed.length > 0
        ? 'desk.chartsNoOther'
        : 'desk.chartsNobody';

/** Whom we know here is listed all the same; this says what is missing. */
function whyNotAsked(error: Error): string {
  const code = codeOf(error);
  if (code === 'clinicRefuses') return t('desk.chartsRefused');
  return code === 'clinicUnreachable' || code === 'clinicBusy'
    ? t('desk.chartsAway')
    : messageOf(error);
}

interface ChartProps {
  chart: ApiFoundChart;
  isFirst: boolean;
  comeIn: Ref<HTMLButtonElement> | undefined;
  onPick: () => void;
}

/** One that is inactive or deceased is shown, and cannot be chosen. */
function Chart({ chart, isFirst, comeIn, onPick }: ChartProps) {
  const { state, name, birthDate, known } = chart;
  const whole = (
    <>
      <b>{name}</b>
      <span>{t('desk.bornOn', { date: birthDate || '?' })}</span>
      <span className={styles.soft}>
        {t('desk.chartInEmr', { chart: chart.chart })}
        {(known?.patientId ?? null) === null && `, ${t('desk.noAccountYet')}`}
        {state !== 'active' && `, ${t(`desk.chartState.${state}`)}`}
      </span>
    </>
  );
  if (state !== 'active')
    return (
      <div className={styles.choice} data-closed="">
        {whole}
        <span>{t('desk.chartNotBookable')}</span>
      </div>
    );
  return (
    <button
      type="button"
      className={styles.choice}
      data-choice=""
      tabIndex={isFirst ? 0 : -1}
      ref={comeIn}
      onClick={onPick}
    >
      {whole}
    </button>
  );
}
