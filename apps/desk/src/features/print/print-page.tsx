import { codeOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import type { ApiPrintedDay } from '@clinic/contract';
import { type LookReason, deskPages, formatPhone, formatTime, isWholeDay } from '@clinic/domain';
import { formatFullDate, formatMoment, formatPrice } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { EmptyState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { AskLookReason } from '../../shared/look-reason.tsx';
import { Page } from '../../shared/page.tsx';
import { Tabs } from '../../shared/tabs.tsx';
import { locale, t } from '../../shared/words.ts';
import styles from './print.module.css';

type Provider = ApiPrintedDay['providers'][number];
type Appointment = Provider['appointments'][number];

const PHONES = 'phones';

/** A day on paper: a page for each provider, or whom to call. */
export function PrintPage({ date }: { date: string }) {
  const [lookReason, setLookReason] = useState<LookReason>();
  const [search] = useSearchParams();
  const [asOf] = useState(clinicNow);
  const printed = useQuery({
    queryKey: ['printed', date, lookReason],
    queryFn: async () =>
      (
        await ask('deskPrintDay', {
          params: { date },
          body: lookReason === undefined ? {} : { lookReason },
        })
      ).extras,
    enabled: isWholeDay(date),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (!isWholeDay(date)) return <EmptyState>{t('desk.notFound')}</EmptyState>;
  const { data, error } = printed;
  const asksWhy = !data && codeOf(error) === 'lookReasonMissing';
  const list = search.get('list') === PHONES ? PHONES : undefined;
  const path = pathTo(deskPages.print, { date });
  const phones = pathTo(deskPages.print, { date }, { list: PHONES });
  const day = formatFullDate(locale(), date);
  const now = formatTime(asOf);
  return (
    <Page
      title={t('desk.print.title', { day })}
      beside={
        <div className={styles.beside}>
          <Link href={pathTo(deskPages.day, { date })}>{t('desk.print.toDay')}</Link>
          <Button
            icon={<Printer size={18} aria-hidden="true" />}
            disabled={!data?.providers.length}
            onClick={() => print()}
          >
            {t('desk.print.now')}
          </Button>
        </div>
      }
    >
      <div className={styles.offPaper}>
        <Tabs
          label={t('desk.print.what')}
          tabs={{ [path]: 'desk.print.sheets', [phones]: 'desk.print.phones' }}
          current={list ? phones : path}
        />
        <p className={styles.soft}>{t('desk.print.recorded')}</p>
      </div>
      {asksWhy ? (
        <AskLookReason
          label={t('desk.print.why')}
          about={t('desk.print.whyAbout')}
          onReason={setLookReason}
        />
      ) : (
        <LoadState of={printed} />
      )}
      {data?.providers.length === 0 && <EmptyState>{t('desk.print.nobody')}</EmptyState>}
      {data && data.providers.length > 0 && (
        <div className={styles.sheets}>
          {list ? (
            <PhoneList providers={data.providers} day={day} now={now} />
          ) : (
            data.providers.map((provider) => (
              <ProviderSheet key={provider.id} provider={provider} day={day} now={now} />
            ))
          )}
        </div>
      )}
    </Page>
  );
}

/** With more lines than this they are smaller, so that a page has them all. */
const MOST_LINES = 22;

interface SheetProps {
  title: string;
  lines: number;
  day: string;
  sum: string;
  children: ReactNode;
}

/** What begins a page of its own. */
function Sheet({ title, lines, day, sum, children }: SheetProps) {
  const titleId = useId();
  return (
    <section
      className={classNames(styles.sheet, lines > MOST_LINES && styles.full)}
      aria-labelledby={titleId}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <p>{day}</p>
        <p className={styles.sum}>{sum}</p>
      </div>
      {children}
    </section>
  );
}

interface ProviderSheetProps {
  provider: Provider;
  day: string;
  now: string;
}

function ProviderSheet({ provider, day, now }: ProviderSheetProps) {
  const { name, appointments, busy } = provider;
  const lines = [
    ...appointments.map((each) => ({ start: each.start, row: <Row key={each.id} {...each} /> })),
    ...busy.map((span) => ({ start: span.start, row: <Busy key={span.start} {...span} /> })),
  ].toSorted((one, other) => one.start - other.start);
  return (
    <Sheet
      title={name}
      lines={lines.length}
      day={day}
      sum={t('desk.print.sum', {
        n: appointments.length,
        first: formatTime(Math.min(...appointments.map(({ start }) => start))),
        last: formatTime(Math.max(...appointments.map(({ end }) => end))),
        now,
      })}
    >
      <DataTable
        caption={t('desk.print.sheetOf', { name, day })}
        columns={[
          t('desk.time'),
          t('desk.patient'),
          t('desk.phone'),
          t('desk.type'),
          t('desk.fee'),
          t('desk.print.why.short'),
        ]}
        rows={lines.map(({ row }) => row)}
      />
    </Sheet>
  );
}

const minutesOf = ({ start, end }: { start: number; end: number }) =>
  t('desk.print.minutes', { minutes: Math.round((end - start) / 60) });

function Row(appointment: Appointment) {
  const { start, patient, phones, description, reason, alerts } = appointment;
  return (
    <tr>
      <td className={styles.time}>
        <b>{formatTime(start)}</b> <span>{minutesOf(appointment)}</span>
      </td>
      <th scope="row" className={styles.patient}>
        {patient} <span>{aboutPatient(appointment)}</span>
      </th>
      <td className={styles.phone}>
        {phones.map((phone) => (
          <span key={phone}>{formatPhone(phone)}</span>
        ))}
      </td>
      <td className={styles.type}>{description}</td>
      <td className={styles.fee}>{feeText(appointment)}</td>
      <td>
        {alerts.map((text) => (
          <strong key={text} className={styles.alert}>
            {t('desk.print.alert', { text })}{' '}
          </strong>
        ))}
        {reason}
      </td>
    </tr>
  );
}

/** '42, Arrived'. */
function aboutPatient({ age, isFirst, attendance, linkUntil }: Appointment): string {
  return [
    age !== null && String(age),
    isFirst && t('desk.print.first'),
    attendance !== 'expected' && t(`desk.${attendance}`),
    linkUntil !== null && t('desk.print.link', { until: formatMoment(locale(), linkUntil) }),
  ]
    .filter((part) => part !== false)
    .join(', ');
}

const feeText = ({ fee, feeCents }: Appointment): string =>
  fee === 'none' ? '' : t(`desk.print.fee.${fee}`, { money: formatPrice(locale(), feeCents) });

function Busy(span: Provider['busy'][number]) {
  return (
    <tr>
      <td className={styles.time}>
        <b>{formatTime(span.start)}</b> <span>{minutesOf(span)}</span>
      </td>
      <td colSpan={5}>{t('desk.print.inEmr')}</td>
    </tr>
  );
}

interface PhoneListProps {
  providers: readonly Provider[];
  day: string;
  now: string;
}

/** Everybody of the day by name, for whoever calls them. */
function PhoneList({ providers, day, now }: PhoneListProps) {
  const everybody = providers
    .flatMap(({ name, appointments }) => appointments.map((each) => ({ ...each, name })))
    .toSorted((one, other) => one.patient.localeCompare(other.patient) || one.start - other.start);
  return (
    <Sheet
      title={t('desk.print.phones')}
      lines={everybody.length}
      day={day}
      sum={t('desk.print.sumOf', { n: everybody.length, now })}
    >
      <DataTable
        caption={t('desk.print.sheetOf', { name: t('desk.print.phones'), day })}
        columns={[
          t('desk.patient'),
          t('desk.phone'),
          t('desk.time'),
          t('desk.provider'),
          t('desk.print.called'),
        ]}
        rows={everybody.map(({ id, patient, phones, start, name }) => (
          <tr key={id}>
            <th scope="row">{patient}</th>
            <td>{phones.map(formatPhone).join(', ') || t('desk.print.noPhone')}</td>
            <td>{formatTime(start)}</td>
            <td>{name}</td>
            <td>☐</td>
          </tr>
        ))}
      />
    </Sheet>
  );
}
