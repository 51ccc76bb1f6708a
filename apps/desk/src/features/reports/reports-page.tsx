import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { ApiReports } from '@clinic/contract';
import {
  type DateSpan,
  WEEKDAYS,
  type Weekday,
  addDays,
  daysBetween,
  toClinic,
} from '@clinic/domain';
import {
  formatDay,
  formatMoment,
  formatMonthOfYear,
  formatNumber,
  formatPrice,
  formatWeekdayName,
} from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Chart, type ChartRow, type ChartTable } from '@clinic/ui/chart';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { ask } from '../../shared/api.ts';
import { DataTable, ofNumbers } from '../../shared/data-table.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { DateRange, useDateRange } from '../../shared/date-range.tsx';
import { emrQuery } from '../../shared/emr-line.tsx';
import { saveTable } from '../../shared/files.ts';
import styles from '../../shared/office.module.css';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';

/** Statistics on bookings and use of the clinic. */
export function ReportsPage() {
  const [range, setRange] = useDateRange('desk.range.month');
  const reports = useQuery({
    queryKey: ['reports', range.from, range.to],
    queryFn: async () => (await ask('deskReports', { query: range })).extras,
  });
  return (
    <Page title={t('desk.reports')} beside={<DateRange range={range} onChange={setRange} />}>
      <Statistics range={range} />
      <LoadState of={reports} />
      {reports.data && <Reports reports={reports.data} />}
    </Page>
  );
}

function Statistics({ range }: { range: DateSpan }) {
  const download = useAction({
    work: async () => (await ask('deskStatistics', { body: { ...range } })).extras,
    onDone: saveTable,
    changes: () => false,
  });
  return (
    <div className={styles.section}>
      <div>
        <Button
          variant="secondary"
          icon={<Download size={18} aria-hidden="true" />}
          busy={download.pending}
          busyLabel={t('desk.reports.downloading')}
          onClick={() => download.run()}
        >
          {t('desk.reports.download')}
        </Button>
      </div>
      <Outcome
        of={download}
        done={download.result && t('desk.isSaved', { name: download.result.name })}
      />
    </div>
  );
}

function Reports({ reports }: { reports: ApiReports }) {
  const inEmr = useQuery(emrQuery);
  const { data: emr } = inEmr;
  const { revenue = [] } = reports;
  const all = reports.providers.find(({ provider }) => provider === 'all');
  const providers = reports.providers.filter(({ provider }) => provider !== 'all');
  type Provider = (typeof providers)[number];
  const rowsOf = (
    valuesOf: (provider: Provider) => readonly (number | null)[],
    alsoOf?: (provider: Provider) => readonly string[],
  ): ChartRow[] =>
    providers.map((each) => ({
      key: each.provider,
      name: each.name,
      values: valuesOf(each),
      ...(alsoOf && { also: alsoOf(each) }),
    }));
  const provider = t('desk.provider');
  // An EMR that is not known of may keep them.
  const openHours = ({ offeredMinutes }: Pick<Provider, 'offeredMinutes'>) => {
    if (offeredMinutes > 0 || emr === null) return hours(offeredMinutes);
    return emr === undefined ? UNKNOWN : t('desk.reports.inEmr');
  };
  return (
    <>
      {inEmr.isLoadingError && <LoadState of={inEmr} />}
      {all && (
        <p>
          {t('desk.reports.summary', {
            bookings: all.bookings,
            patients: all.patients,
            open: openHours(all),
            booked: hours(all.bookedMinutes),
          })}
        </p>
      )}
      <ReportChart
        kind="line"
        title={t('desk.reports.doors')}
        summary={t('desk.reports.doorsAbout', {
          patient: sumOf(reports.bookings, 'patient'),
          desk: sumOf(reports.bookings, 'desk'),
        })}
        rowName={t('desk.reports.period')}
        series={[{ name: t('desk.reports.byPatient') }, { name: t('desk.reports.byDesk') }]}
        rows={reports.bookings.map(({ period, patient, desk }) => ({
          key: period,
          name: periodName(period),
          values: [patient, desk],
        }))}
      />
      <Demand demand={reports.demand} />
      <ReportChart
        kind="bars"
        title={t('desk.reports.lead')}
        summary={
          reports.medianLeadDays === null
            ? t('desk.reports.nothing')
            : t('desk.reports.leadMedian', { days: Math.round(reports.medianLeadDays) })
        }
        rowName={t('desk.reports.ahead')}
        series={[{ name: t('desk.reports.bookings') }]}
        rows={reports.leadTimes.map(({ fromDays, bookings }, at) => ({
          key: String(fromDays),
          name: leadName(fromDays, reports.leadTimes[at + 1]?.fromDays),
          values: [bookings],
        }))}
      />
      <ThirdNext times={reports.thirdNext} />
      <ReportChart
        kind="bars"
        title={t('desk.reports.use')}
        summary={t('desk.reports.useAbout')}
        rowName={provider}
        most={100}
        series={[{ name: t('desk.reports.percent'), say: percent }]}
        alsoNames={[t('desk.reports.open'), t('desk.reports.booked')]}
        rows={rowsOf(
          ({ offeredMinutes, bookedMinutes }) => [part(bookedMinutes, offeredMinutes)],
          (each) => [openHours(each), hours(each.bookedMinutes)],
        )}
      />
      <ReportChart
        kind="bars"
        title={t('desk.reports.noShows')}
        summary={t('desk.reports.noShowsAbout', {
          missed: all?.noShows ?? 0,
          n: (all?.noShows ?? 0) + (all?.registered ?? 0),
        })}
        rowName={provider}
        series={[{ name: t('desk.reports.noShowRate'), say: percent }]}
        alsoNames={[t('desk.reports.noShow'), t('desk.reports.seen')]}
        rows={rowsOf(
          ({ registered, noShows }) => [part(noShows, registered + noShows)],
          ({ registered, noShows }) => [String(noShows), String(registered)],
        )}
      />
      <ReportChart
        kind="bars"
        title={t('desk.reports.changes')}
        summary={t('desk.reports.changesAbout', {
          patient: all?.cancelledByPatient ?? 0,
          clinic: all?.cancelledByClinic ?? 0,
        })}
        rowName={provider}
        series={[
          { name: t('desk.reports.cancelledByPatient') },
          { name: t('desk.reports.cancelledByClinic') },
        ]}
        alsoNames={[t('desk.reports.movedByPatient'), t('desk.reports.movedByClinic')]}
        rows={rowsOf(
          ({ cancelledByPatient, cancelledByClinic }) => [cancelledByPatient, cancelledByClinic],
          (each) => [String(each.rescheduledByPatient), String(each.rescheduledByClinic)],
        )}
      />
      <ReportChart
        kind="line"
        title={t('desk.reports.revenue')}
        summary={t('desk.reports.revenueAbout', {
          online: money(sumOf(revenue, 'online')),
          atClinic: money(sumOf(revenue, 'atClinic')),
          refunded: money(sumOf(revenue, 'refunded')),
        })}
        rowName={t('desk.reports.day')}
        series={[
          { name: t('desk.reports.online'), say: money },
          { name: t('desk.reports.atClinic'), say: money },
          { name: t('desk.reports.refunded'), say: money },
        ]}
        rows={revenue.map(({ period, online, atClinic, refunded }) => ({
          key: period,
          name: periodName(period),
          values: [online, atClinic, refunded],
        }))}
      />
    </>
  );
}

function sumOf<Row>(rows: readonly Row[], key: keyof Row): number {
  return rows.reduce((sum, row) => sum + Number(row[key]), 0);
}

const MONDAY = '2026-11-02';
const weekdayName = (weekday: Weekday) =>
  formatWeekdayName(locale(), addDays(MONDAY, WEEKDAYS.indexOf(weekday)));
const hourName = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

function Demand({ demand = [] }: Pick<ApiReports, 'demand'>) {
  const all = demand.map(({ hour }) => hour);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const shown =
    demand.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const at = (weekday: Weekday, hour: number) =>
    demand.find((each) => each.weekday === weekday && each.hour === hour)?.appointments ?? 0;
  const [top] = demand.toSorted((one, other) => other.appointments - one.appointments);
  return (
    <ReportChart
      kind="heat"
      title={t('desk.reports.demand')}
      summary={
        top === undefined
          ? t('desk.reports.nothing')
          : t('desk.reports.demandAbout', {
              weekday: weekdayName(top.weekday),
              hour: hourName(top.hour),
              n: top.appointments,
            })
      }
      rowName={t('desk.reports.weekday')}
      series={shown.map((hour) => ({ name: hourName(hour) }))}
      rows={
        top === undefined
          ? []
          : WEEKDAYS.map((weekday) => ({
              key: weekday,
              name: weekdayName(weekday),
              values: shown.map((hour) => at(weekday, hour)),
            }))
      }
    />
  );
}

/** Shows one type at a time, as there may be many types and many times. */
function ThirdNext({ times }: { times: ApiReports['thirdNext'] }) {
  const types = new Map(times.map(({ type, description }) => [type, description]));
  const [chosen, setChosen] = useState('');
  const type = types.has(chosen) ? chosen : ([...types.keys()][0] ?? '');
  const today = toClinic(clinicNow()).date;
  const shown = times.filter((each) => each.type === type);
  return (
    <ReportChart
      kind="bars"
      title={t('desk.reports.thirdNext')}
      summary={t('desk.reports.thirdNextAbout')}
      caption={`${t('desk.reports.thirdNext')}: ${types.get(type) ?? ''}`}
      rowName={t('desk.provider')}
      series={[{ name: t('desk.reports.wait') }]}
      alsoNames={[t('desk.when')]}
      rows={shown.map(({ provider, name, start }) => ({
        key: provider,
        name,
        values: [start === null ? null : daysBetween(today, toClinic(start).date)],
        also: [start === null ? t('desk.reports.noThird') : formatMoment(locale(), start)],
      }))}
    >
      <div className={styles.row}>
        <SelectField
          label={t('desk.type')}
          options={[...types].map(([value, label]) => ({ value, label }))}
          value={type}
          onChange={setChosen}
        />
      </div>
    </ReportChart>
  );
}

const drawTable = ({ caption, heads: [rowName = '', ...heads], rows }: ChartTable) => (
  <DataTable
    caption={caption}
    columns={[rowName, ...heads.map(ofNumbers)]}
    rows={rows.map(({ key, name, texts }) => (
      <tr key={key}>
        <th scope="row">{name}</th>
        {texts.map((text, at) => (
          <td key={heads[at]} className={styles.number}>
            {text}
          </td>
        ))}
      </tr>
    ))}
  />
);

/** A chart whose table is one as all of the desk. */
function ReportChart(props: Omit<ComponentProps<typeof Chart>, 'table' | 'words'>) {
  return (
    <Chart
      {...props}
      words={{
        asTable: t('desk.reports.asTable'),
        asPicture: t('desk.reports.asPicture'),
        nothing: t('desk.reports.nothing'),
      }}
      table={drawTable}
    />
  );
}

const hours = (minutes: number) => formatNumber(locale(), minutes / 60, 1);

const UNKNOWN = '–';

/** Per cent; null where there is nothing of which it could be a part. */
const part = (of: number, whole: number) => (whole === 0 ? null : (of / whole) * 100);
const percent = (value: number) =>
  t('desk.reports.percentOf', { percent: formatNumber(locale(), value) });
const money = (cents: number) => formatPrice(locale(), cents);

/** '2026-11' is a month, any other period a day. */
const periodName = (period: string) =>
  period.length === 7 ? formatMonthOfYear(locale(), `${period}-01`) : formatDay(locale(), period);

function leadName(from: number, next: number | undefined): string {
  if (from === 0) return t('desk.reports.lead.within');
  if (next === undefined) return t('desk.reports.lead.more', { from });
  return next === from + 1
    ? t('desk.reports.lead.days', { from })
    : t('desk.reports.lead.span', { from, to: next - 1 });
}
