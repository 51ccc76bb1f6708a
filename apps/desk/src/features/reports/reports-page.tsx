import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { ApiReports } from '@clinic/contract';
import { type DateSpan, daysBetween, toClinic } from '@clinic/domain';
import { formatDay, formatMoment, formatMonthOfYear, formatNumber } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { DateRange, useDateRange } from '../../shared/date-range.tsx';
import { emrQuery } from '../../shared/emr-line.tsx';
import { saveTable } from '../../shared/files.ts';
import styles from '../../shared/office.module.css';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';
import { type BarRow, Bars } from './bars.tsx';

/** Statistics on bookings and use of the clinic. Every diagram is a table. */
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
  const all = reports.providers.find(({ provider }) => provider === 'all');
  const providers = reports.providers.filter(({ provider }) => provider !== 'all');
  type Provider = (typeof providers)[number];
  const rowsOf = (
    valuesOf: (provider: Provider) => readonly number[],
    alsoOf?: (provider: Provider) => readonly string[],
  ): BarRow[] =>
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
    return emr === undefined ? '–' : t('desk.reports.inEmr');
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
      <Bars
        title={t('desk.reports.doors')}
        rowName={t('desk.reports.period')}
        series={[{ name: t('desk.reports.byPatient') }, { name: t('desk.reports.byDesk') }]}
        rows={reports.bookings.map(({ period, patient, desk }) => ({
          key: period,
          name: periodName(period),
          values: [patient, desk],
        }))}
      />
      <Bars
        title={t('desk.reports.lead')}
        about={
          reports.medianLeadDays !== null &&
          t('desk.reports.leadMedian', { days: Math.round(reports.medianLeadDays) })
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
      <Bars
        title={t('desk.reports.use')}
        about={t('desk.reports.useAbout')}
        rowName={provider}
        most={100}
        series={[{ name: t('desk.reports.percent'), say: percent }]}
        alsoNames={[t('desk.reports.open'), t('desk.reports.booked')]}
        rows={rowsOf(
          ({ offeredMinutes, bookedMinutes }) => [
            offeredMinutes === 0 ? UNKNOWN : (bookedMinutes / offeredMinutes) * 100,
          ],
          (each) => [openHours(each), hours(each.bookedMinutes)],
        )}
      />
      <Bars
        title={t('desk.reports.came')}
        rowName={provider}
        series={[{ name: t('desk.reports.seen') }, { name: t('desk.reports.noShow') }]}
        rows={rowsOf(({ registered, noShows }) => [registered, noShows])}
      />
      <Bars
        title={t('desk.reports.changes')}
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
    </>
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
    <Bars
      title={t('desk.reports.thirdNext')}
      about={t('desk.reports.thirdNextAbout')}
      caption={`${t('desk.reports.thirdNext')}: ${types.get(type) ?? ''}`}
      rowName={t('desk.provider')}
      series={[{ name: t('desk.reports.wait'), say: orDash(String) }]}
      alsoNames={[t('desk.when')]}
      rows={shown.map(({ provider, name, start }) => ({
        key: provider,
        name,
        values: [start === null ? UNKNOWN : daysBetween(today, toClinic(start).date)],
        also: [start === null ? t('desk.reports.noThird') : formatMoment(locale, start)],
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
    </Bars>
  );
}

const hours = (minutes: number) => formatNumber(locale, minutes / 60, 1);

/** Marks a missing value, whose bar has no length. */
const UNKNOWN = -1;
const orDash = (say: (value: number) => string) => (value: number) =>
  value === UNKNOWN ? '–' : say(value);
const percent = orDash((value) =>
  t('desk.reports.percentOf', { percent: formatNumber(locale, value) }),
);

/** '2026-11' is a month, any other period a day. */
const periodName = (period: string) =>
  period.length === 7 ? formatMonthOfYear(locale, `${period}-01`) : formatDay(locale, period);

function leadName(from: number, next: number | undefined): string {
  if (from === 0) return t('desk.reports.lead.within');
  if (next === undefined) return t('desk.reports.lead.more', { from });
  return next === from + 1
    ? t('desk.reports.lead.days', { from })
    : t('desk.reports.lead.span', { from, to: next - 1 });
}
