import type { CallAnswer } from '@clinic/contract';
import { NOT_WORKING, mayAny, toClinic } from '@clinic/domain';
import { formatDay, formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { DeskError, ask, now, sessionQuery } from '../api.ts';
import { DayField, whyNoDay } from '../day-field.tsx';
import { locale, t } from '../words.ts';
import { callText } from './affected.tsx';
import { closingsQuery, nameOf } from './schedule-data.ts';
import styles from './schedule.module.css';
import { ScrollingTable } from './scrolling-table.tsx';
import { WeekGrid } from './week-grid.tsx';
import weekStyles from './week.module.css';

const weekQuery = (providerId: string, on: string) =>
  queryOptions({
    queryKey: ['week', providerId, on],
    queryFn: async () => (await ask('deskWeek', { params: { providerId }, query: { on } })).extras,
    gcTime: 0,
  });

/** The working week of a provider: shown, painted, and saved after a preview. */
export function WeekPage({ providerId }: { providerId: string }) {
  const [, goTo] = useLocation();
  const [on, setOn] = useState(() => toClinic(now()).date);
  const { data: all } = useQuery(closingsQuery);
  const { data: session } = useQuery(sessionQuery);
  const week = useQuery(weekQuery(providerId, on));
  const providers = all?.providers ?? [];
  const mayEdit = mayAny(session?.roles ?? [], 'editSchedule');
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <h1>{t('desk.week.of', { name: nameOf(providerId, providers) })}</h1>
      <div className={styles.fields}>
        <SelectField
          label={t('desk.week.provider')}
          options={providers.map(({ id, name }) => ({ value: id, label: name }))}
          value={providerId}
          onChange={(id) => goTo(`/schedule/weeks/${id}`)}
        />
        <DayField label={t('desk.week.on')} value={on} onChange={setOn} />
      </div>
      {week.isPending && <LoadingState />}
      {week.isError && week.data === undefined && (
        <FailedState onRetry={() => void week.refetch()} busy={week.isFetching}>
          {week.error.message}
        </FailedState>
      )}
      {week.data && (
        <Week
          key={`${providerId} ${on}`}
          providerId={providerId}
          shown={week.data}
          mayEdit={mayEdit && !week.data.isInEmr}
          on={on}
        />
      )}
      <p>
        <Link href="/schedule">{t('desk.closing.back')}</Link>
      </p>
    </main>
  );
}

interface WeekProps {
  providerId: string;
  shown: CallAnswer<'deskWeek'>['extras'];
  mayEdit: boolean;
  on: string;
}

function Week({ providerId, shown, mayEdit, on }: WeekProps) {
  const queries = useQueryClient();
  const today = toClinic(now()).date;
  const [painted, setPainted] = useState<readonly string[]>();
  const week = painted ?? shown.week;
  const [brush, setBrush] = useState(shown.codes[0]?.code ?? NOT_WORKING);
  const [validFrom, setValidFrom] = useState(on < today ? today : on);
  const [dayError, setDayError] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (version: string | undefined) =>
      ask('deskSaveWeek', {
        params: { providerId },
        body: { validFrom, week: [...week], ...(version !== undefined && { version }) },
      }),
    onSuccess: ({ extras }) => {
      if (extras.isSaved) void queries.invalidateQueries({ queryKey: ['week', providerId] });
    },
    gcTime: 0,
  });
  const preview = save.data?.extras;
  const { error } = save;
  return (
    <>
      <p className={styles.about}>
        {shown.since === null
          ? t('desk.week.none')
          : t('desk.week.since', { day: formatDay(locale, shown.since) })}{' '}
        {shown.next !== null && t('desk.week.next', { day: formatDay(locale, shown.next) })}
      </p>
      {shown.isInEmr && (
        <Notice role="note">
          <p>{t('desk.week.inEmr')}</p>
        </Notice>
      )}
      <ul className={weekStyles.legend} aria-label={t('desk.week.codes')}>
        {shown.codes.map(({ code, description, types }) => (
          <li key={code}>
            <strong>{code}</strong> {description} ({types.join(', ')})
          </li>
        ))}
      </ul>
      {mayEdit && (
        <>
          <p className={styles.about}>{t('desk.week.keys')}</p>
          <div className={styles.fields}>
            <SelectField
              label={t('desk.week.brush')}
              options={[
                ...shown.codes.map(({ code, description }) => ({
                  value: code,
                  label: `${code} ${description}`,
                })),
                { value: NOT_WORKING, label: t('desk.week.noWork') },
              ]}
              value={brush}
              onChange={setBrush}
            />
            <TextField
              type="date"
              label={t('desk.week.validFrom')}
              error={dayError}
              value={validFrom}
              onChange={(day) => {
                setValidFrom(day);
                setDayError(null);
                save.reset();
              }}
            />
          </div>
        </>
      )}
      <WeekGrid
        week={week}
        brush={brush}
        codes={shown.codes.map(({ code }) => code)}
        onPaint={
          mayEdit
            ? (next) => {
                setPainted(next);
                save.reset();
              }
            : null
        }
      />
      {mayEdit && (
        <div className={styles.buttons}>
          <Button
            variant="secondary"
            busy={save.isPending && save.variables === undefined}
            busyLabel={t('desk.close.foreseeing')}
            onClick={() => {
              setDayError(whyNoDay(validFrom));
              if (whyNoDay(validFrom) === null) save.mutate(undefined);
            }}
          >
            {t('desk.week.foresee')}
          </Button>
        </div>
      )}
      <ActionOutcome press={save.submittedAt}>{whyNot(error)}</ActionOutcome>
      {preview && !preview.isSaved && (
        <section className={styles.section} aria-labelledby="week-preview">
          <h2 id="week-preview" tabIndex={-1} ref={comeIn}>
            {t('desk.week.preview', { n: preview.outside.length })}
          </h2>
          <p className={styles.about}>{t('desk.week.stands')}</p>
          {preview.outside.length > 0 && <Outside outside={preview.outside} />}
          <div>
            <Button
              busy={save.isPending}
              busyLabel={t('desk.week.saving')}
              onClick={() => save.mutate(preview.version)}
            >
              {t('desk.week.save')}
            </Button>
          </div>
        </section>
      )}
      {preview?.isSaved && (
        <ActionOutcome press={save.submittedAt} kind="good">
          {t('desk.week.saved', { day: formatDay(locale, validFrom) })}
        </ActionOutcome>
      )}
    </>
  );
}

const comeIn = (heading: HTMLElement | null) => heading?.focus();

const whyNot = (error: Error | null) =>
  (error instanceof DeskError ? error.fields?.[0]?.message : undefined) ?? error?.message;

function Outside({ outside }: { outside: CallAnswer<'deskSaveWeek'>['extras']['outside'] }) {
  return (
    <ScrollingTable caption={t('desk.week.outside')}>
      <thead>
        <tr>
          <th scope="col">{t('desk.close.when')}</th>
          <th scope="col">{t('desk.close.patient')}</th>
          <th scope="col">{t('desk.close.type')}</th>
          <th scope="col">{t('desk.week.why')}</th>
          <th scope="col">{t('desk.week.reach')}</th>
        </tr>
      </thead>
      <tbody>
        {outside.map(({ appointmentId, start, patient, description, endsThen, phone }) => (
          <tr key={appointmentId}>
            <td>{formatMoment(locale, start)}</td>
            <th scope="row">{patient}</th>
            <td>{description}</td>
            <td>
              {endsThen === null
                ? t('desk.week.notOffered')
                : t('desk.week.otherLength', { n: (endsThen - start) / 60 })}
            </td>
            <td>{callText(phone)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}
