import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { CallAnswer } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { isWholeDay, mayAny, toClinic, deskPages } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { ask, sessionQuery } from '../../shared/api.ts';
import { Outcome } from '../../shared/desk-action.tsx';
import { DayField, whyNoDay } from '../../shared/day-field.tsx';
import { useFormOver } from '../../shared/form-over.tsx';
import { usePreviewed } from '../../shared/use-previewed.ts';
import { locale, t } from '../../shared/words.ts';
import { Foreseen } from './affected.tsx';
import { closingsQuery, nameOf } from '../../shared/schedule-data.ts';
import styles from './schedule.module.css';
import { SingleDay } from './single-day.tsx';
import { Painting, hoursText } from './week-grid.tsx';

/** Weekday numbers in the clinic's order, Monday first; weeks are stored from Sunday. */
const DAYS = [1, 2, 3, 4, 5, 6, 0];
const DAY_NAMES = [
  'desk.week.sunday',
  'desk.week.monday',
  'desk.week.tuesday',
  'desk.week.wednesday',
  'desk.week.thursday',
  'desk.week.friday',
  'desk.week.saturday',
] as const;

/** The API's names of the days, Sunday first. */
const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const weekQuery = (providerId: string, on: string) =>
  queryOptions({
    queryKey: ['week', providerId, on],
    queryFn: async () => (await ask('deskWeek', { params: { providerId }, query: { on } })).extras,
    gcTime: 0,
  });

/** The working week of a provider: shown, painted, and saved after a preview. */
export function WeekPage({ providerId }: { providerId: string }) {
  const [, goTo] = useLocation();
  const [on, setOn] = useState(() => toClinic(clinicNow()).date);
  // The single day is in the address, where the list of such days links to it.
  const [search, setSearch] = useSearchParams();
  const asked = search.get('day');
  const singleDay = asked !== null && isWholeDay(asked) ? asked : null;
  const { data: all } = useQuery(closingsQuery);
  const { data: session } = useQuery(sessionQuery);
  const week = useQuery(weekQuery(providerId, singleDay ?? on));
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
          onChange={(id) =>
            goTo(pathTo(deskPages.week, { providerId: id }, singleDay ? { day: singleDay } : {}))
          }
        />
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
          label={t(singleDay === null ? 'desk.week.on' : 'desk.day.which')}
          value={singleDay ?? on}
          onChange={(day) => {
            setOn(day);
            if (singleDay !== null) setSearch({ day }, { replace: true });
          }}
        />
      </div>
      <LoadState of={week} />
      {week.data && singleDay !== null && (
        <SingleDay
          key={`${providerId} ${singleDay}`}
          providerId={providerId}
          date={singleDay}
          mayEdit={mayEdit && !week.data.isInEmr}
        />
      )}
      {week.data && singleDay === null && (
        <Week
          key={`${providerId} ${on}`}
          providerId={providerId}
          shown={week.data}
          mayEdit={mayEdit && !week.data.isInEmr}
          on={on}
        />
      )}
      {week.data && week.data.days.length > 0 && (
        <nav className={styles.section} aria-labelledby="single-days">
          <h2 id="single-days">{t('desk.day.said')}</h2>
          <ul>
            {week.data.days.map((day) => (
              <li key={day}>
                <Link href={pathTo(deskPages.week, { providerId }, { day })}>
                  {formatDay(locale, day)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p>
        <Link href={deskPages.schedule}>{t('desk.closing.back')}</Link>
      </p>
    </main>
  );
}

type WeekAnswer = CallAnswer<'deskSaveWeek'>['extras'];

interface WeekProps {
  providerId: string;
  shown: CallAnswer<'deskWeek'>['extras'];
  mayEdit: boolean;
  on: string;
}

function Week({ providerId, shown, mayEdit, on }: WeekProps) {
  const today = toClinic(clinicNow()).date;
  const stored = Object.fromEntries(WEEK.map((day, at) => [day, shown.week[at] ?? '']));
  const form = useFormOver(stored, shown.formVersion);
  const week = WEEK.map((day) => form.draft[day] ?? '');
  const [validFrom, setValidFrom] = useState(on < today ? today : on);
  const [dayError, setDayError] = useState<string | null>(null);
  const { action, preview, saved, isLooking, isSaving, comeIn, look, save, drop } = usePreviewed({
    send: async (_, by?: WeekAnswer) => {
      const body = { validFrom, madeOn: on, week, ...(by && { version: by.version }) };
      const headers = form.headers();
      return (await ask('deskSaveWeek', { params: { providerId }, headers, body })).extras;
    },
    isSaved: (answer) => answer.isSaved,
    shows: [['week', providerId]],
    onSaved: form.startAnew,
  });
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
      {!action.pending &&
        form.elsewhere(
          (day) => ({
            label: t(DAY_NAMES[WEEK.findIndex((each) => each === day)] ?? DAY_NAMES[0]),
            saved: hoursText(stored[day] ?? ''),
          }),
          drop,
        )}
      <Painting
        label={t('desk.week.grid')}
        days={DAYS.map((weekday) => ({
          name: t(DAY_NAMES[weekday] ?? DAY_NAMES[0]),
          codes: week[weekday] ?? '',
        }))}
        codes={shown.codes}
        onPaint={
          mayEdit
            ? (next) => {
                if (isSaving) return;
                form.change(
                  Object.fromEntries(
                    WEEK.flatMap((day, weekday) => {
                      const codes = next[DAYS.indexOf(weekday)] ?? '';
                      return codes === form.draft[day] ? [] : [[day, codes]];
                    }),
                  ),
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
        <div className={styles.buttons}>
          <Button
            variant="secondary"
            busy={isLooking}
            busyLabel={t('desk.close.foreseeing')}
            onClick={() => {
              setDayError(whyNoDay(validFrom));
              if (whyNoDay(validFrom) === null) look();
            }}
          >
            {t('desk.week.foresee')}
          </Button>
        </div>
      )}
      <Outcome of={action} />
      {preview && !saved && (
        <Foreseen
          key={preview.answer.version}
          outside={preview.answer.outside}
          isSaving={isSaving}
          save={t('desk.week.save')}
          onSave={save}
          comeIn={comeIn}
        />
      )}
      {saved && (
        <ActionOutcome press={action.press} kind="good">
          {t('desk.week.saved', { day: formatDay(locale, validFrom) })}
        </ActionOutcome>
      )}
    </>
  );
}
