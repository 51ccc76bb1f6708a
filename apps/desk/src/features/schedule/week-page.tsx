import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { CallAnswer } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { isWholeDay, toClinic, deskPages } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import type { KeptForm } from '@clinic/ui/changed-elsewhere';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { ask } from '../../shared/api.ts';
import { DayField, whyNoDay } from '../../shared/day-field.tsx';
import { useKeptFormOver } from '../../shared/form-over.tsx';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import { Section } from '../../shared/section.tsx';
import { usePreviewed } from '../../shared/use-previewed.ts';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import { Foreseen } from './affected.tsx';
import { nameOf } from '../../shared/schedule-data.ts';
import { useProviders } from './providers.tsx';
import styles from './schedule.module.css';
import { type PaintedDay, SingleDay } from './single-day.tsx';
import { Painting, hoursText } from './week-grid.tsx';

/** The API's names of the days, Sunday first, as weeks are stored. */
const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Day = (typeof WEEK)[number];
/** The days in the clinic's order. */
const SHOWN = [...WEEK.slice(1), WEEK[0]];

/** The working week of a provider: shown, painted, and saved after a preview. */
export function WeekPage({ providerId }: { providerId: string }) {
  const [, goTo] = useLocation();
  const [on, setOn] = useState(() => toClinic(clinicNow()).date);
  // The single day is in the address, where the list of such days links to it.
  const [search, setSearch] = useSearchParams();
  const asked = search.get('day');
  const singleDay = asked !== null && isWholeDay(asked) ? asked : null;
  // What is painted, by provider and, of a single day, its date: it stays when another date is shown.
  const [weeks, setWeeks] = useState<Readonly<Record<string, PaintedWeek | null>>>({});
  const [days, setDays] = useState<Readonly<Record<string, PaintedDay | null>>>({});
  const dayKey = `${providerId} ${singleDay}`;
  const { providers, failed } = useProviders();
  const week = useQuery({
    queryKey: ['week', providerId, singleDay ?? on],
    queryFn: async () => {
      const query = { on: singleDay ?? on };
      return (await ask('deskWeek', { params: { providerId }, query })).extras;
    },
    gcTime: 0,
  });
  const mayEdit = useMay()('editSchedule') && week.data?.isInEmr === false;
  return (
    <Page title={t('desk.week.of', { name: nameOf(providerId, providers) })}>
      {week.data && failed}
      <div className={styles.fields}>
        {providers.length > 0 && (
          <SelectField
            label={t('desk.provider')}
            options={providers.map(({ id, name }) => ({ value: id, label: name }))}
            value={providerId}
            onChange={(id) =>
              goTo(pathTo(deskPages.week, { providerId: id }, singleDay ? { day: singleDay } : {}))
            }
          />
        )}
        <SelectField
          label={t('desk.week.what')}
          options={[
            { value: 'week', label: t('desk.week.what.week') },
            { value: 'day', label: t('desk.week.what.day') },
          ]}
          value={singleDay === null ? 'week' : 'day'}
          onChange={(what) => setSearch(what === 'day' ? { day: on } : {}, { replace: true })}
        />
        <DayField
          label={t(singleDay === null ? 'desk.week.on' : 'desk.day')}
          value={singleDay ?? on}
          onChange={(day) => {
            setOn(day);
            if (singleDay !== null) setSearch({ day }, { replace: true });
          }}
        />
      </div>
      <LoadState of={week} />
      {week.data?.isInEmr && (
        <Notice role="note">
          <p>{t('desk.week.inEmr')}</p>
        </Notice>
      )}
      {week.data && singleDay !== null && (
        <SingleDay
          key={dayKey}
          providerId={providerId}
          date={singleDay}
          mayEdit={mayEdit}
          painted={days[dayKey] ?? null}
          onPaint={(next) => setDays((now) => ({ ...now, [dayKey]: next }))}
        />
      )}
      {week.data && singleDay === null && (
        <Week
          key={`${providerId} ${on}`}
          providerId={providerId}
          shown={week.data}
          mayEdit={mayEdit}
          on={on}
          painted={weeks[providerId] ?? null}
          onPaint={(next) => setWeeks((now) => ({ ...now, [providerId]: next }))}
        />
      )}
      {week.data && week.data.days.length > 0 && (
        <Section title={t('desk.day.said')} isCard>
          <ul>
            {week.data.days.map((day) => (
              <li key={day}>
                <Link href={pathTo(deskPages.week, { providerId }, { day })}>
                  {formatDay(locale(), day)}
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <p>
        <Link href={deskPages.schedule}>{t('desk.closing.back')}</Link>
      </p>
    </Page>
  );
}

type WeekAnswer = CallAnswer<'deskSaveWeek'>['extras'];

type Codes = Readonly<Record<Day, string>>;
type PaintedWeek = KeptForm<Codes>;

/** The weekdays that were painted over the week of another date, over the week that holds on this one. */
function paintedOver(stored: Codes, { base, typed }: PaintedWeek): PaintedWeek {
  const painted = WEEK.filter((day) => typed[day] !== base[day]);
  const codes = Object.fromEntries(painted.map((day) => [day, typed[day]]));
  return { base: stored, typed: { ...stored, ...codes } };
}

interface WeekProps {
  providerId: string;
  shown: CallAnswer<'deskWeek'>['extras'];
  mayEdit: boolean;
  on: string;
  /** What was painted before this date was shown. */
  painted: PaintedWeek | null;
  onPaint: (painted: PaintedWeek | null) => void;
}

function Week({ providerId, shown, mayEdit, on, painted: before, onPaint }: WeekProps) {
  const today = toClinic(clinicNow()).date;
  const stored = Object.fromEntries(WEEK.map((day, at) => [day, shown.week[at]])) as Codes;
  const [held, hold] = useState(() => before && paintedOver(stored, before));
  const keep = (next: PaintedWeek | null) => {
    hold(next);
    onPaint(next);
  };
  const form = useKeptFormOver(stored, shown.formVersion, [held, keep]);
  const week = WEEK.map((day) => form.draft[day]);
  const [validFrom, setValidFrom] = useState(on < today ? today : on);
  const [dayError, setDayError] = useState<string | null>(null);
  const painted = usePreviewed({
    send: async (_, by?: WeekAnswer) => {
      const body = { validFrom, madeOn: on, week, ...(by && { version: by.version }) };
      const headers = form.headers();
      return (await ask('deskSaveWeek', { params: { providerId }, headers, body })).extras;
    },
    isSaved: (answer) => answer.isSaved,
    shows: [['week', providerId]],
    onSaved: form.startAnew,
  });
  const { action, isLooking, isSaving, look, drop } = painted;
  return (
    <>
      <p className={office.about}>
        {shown.since === null
          ? t('desk.week.none')
          : t('desk.week.since', { day: formatDay(locale(), shown.since) })}{' '}
        {shown.next !== null && t('desk.week.next', { day: formatDay(locale(), shown.next) })}
      </p>
      {!action.pending &&
        form.elsewhere(
          (day) => ({ label: t(`desk.week.${day}`), saved: hoursText(stored[day]) }),
          drop,
        )}
      <Painting
        label={t('desk.week.grid')}
        days={SHOWN.map((day) => ({ name: t(`desk.week.${day}`), codes: form.draft[day] }))}
        codes={shown.codes}
        onPaint={
          mayEdit
            ? (next) => {
                if (isSaving) return;
                const now = SHOWN.map((day, at) => [day, next[at] ?? ''] as const);
                form.change(
                  Object.fromEntries(now.filter(([day, codes]) => codes !== form.draft[day])),
                );
                drop();
              }
            : null
        }
      >
        <TextField
          type="date"
          label={t('desk.week.validFrom')}
          error={dayError}
          value={validFrom}
          onChange={(day) => {
            if (isSaving) return;
            setValidFrom(day);
            setDayError(null);
            drop();
          }}
        />
      </Painting>
      {mayEdit && (
        <div className={office.buttons}>
          <Button
            variant="secondary"
            busy={isLooking}
            busyLabel={t('desk.looking')}
            onClick={() => {
              setDayError(whyNoDay(validFrom));
              if (whyNoDay(validFrom) === null) look();
            }}
          >
            {t('desk.week.foresee')}
          </Button>
        </div>
      )}
      <Foreseen
        of={painted}
        save={t('desk.week.save')}
        done={() => t('desk.week.saved', { day: formatDay(locale(), validFrom) })}
      />
    </>
  );
}
