import type { CallAnswer } from '@clinic/contract';
import { formatFullDate } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { LoadState } from '@clinic/ui/page-states';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, isOvertaken } from '../api.ts';
import { Failed, useDeskAction } from '../desk-action.tsx';
import { useFormOver } from '../form-over.tsx';
import { locale, t } from '../words.ts';
import { Foreseen } from './affected.tsx';
import { spanText } from './schedule-data.ts';
import styles from './schedule.module.css';
import { Painting, hoursText } from './week-grid.tsx';

interface SingleDayProps {
  providerId: string;
  date: string;
  mayEdit: boolean;
}

const dayQuery = (providerId: string, date: string) =>
  queryOptions({
    queryKey: ['week', providerId, 'day', date],
    queryFn: async () => (await ask('deskSingleDay', { params: { providerId, date } })).extras,
    gcTime: 0,
  });

/** One day of a provider: shown, painted, or reset to the week's schedule. */
export function SingleDay(props: SingleDayProps) {
  const day = useQuery(dayQuery(props.providerId, props.date));
  return day.data ? <Day {...props} shown={day.data} /> : <LoadState of={day} />;
}

interface Wanted {
  /** Null resets the day to the week's schedule. */
  readonly codes: string | null;
  /** Version that the preview returned; without it the call only previews. */
  readonly version?: string;
}

type Preview = CallAnswer<'deskSaveDay'>['extras'] & Pick<Wanted, 'codes'>;

interface DayProps extends SingleDayProps {
  shown: CallAnswer<'deskSingleDay'>['extras'];
}

function Day({ providerId, date, mayEdit, shown }: DayProps) {
  const queries = useQueryClient();
  const name = formatFullDate(locale, date);
  const stored = shown.said ?? shown.week;
  const form = useFormOver({ codes: stored }, shown.formVersion);
  const { codes } = form.draft;
  const save = useDeskAction({
    work: (body: Wanted) =>
      ask('deskSaveDay', { params: { providerId, date }, headers: form.headers(['codes']), body }),
    changes: ({ version }) => version !== undefined,
    shows: [['week', providerId]],
    async onSuccess({ extras }) {
      if (!extras.isSaved) return;
      await queries.invalidateQueries({ queryKey: ['week', providerId] });
      form.startAnew();
    },
    async onError(error) {
      // What a colleague has saved meanwhile is shown, also to who only looks.
      if (isOvertaken(error)) await queries.invalidateQueries({ queryKey: ['week', providerId] });
    },
    gcTime: 0,
  });
  const wanted = save.variables;
  // Kept while it is being saved, and where that fails.
  const [preview, setPreview] = useState<Preview>();
  const [looks, setLooks] = useState(0);
  const comeIn = useComeIn(looks);
  const send = (body: Wanted) => {
    if (save.isPending) return;
    if (body.version === undefined) {
      setPreview(undefined);
      setLooks(looks + 1);
    }
    save.mutate(body, {
      onSuccess: ({ extras }) =>
        setPreview(extras.isSaved ? undefined : { ...extras, codes: body.codes }),
    });
  };
  const isSaving = save.isPending && wanted?.version !== undefined;
  const isSaved = save.data?.extras.isSaved === true;
  return (
    <>
      <p className={styles.about}>{t(shown.said === null ? 'desk.day.asWeek' : 'desk.day.own')}</p>
      {shown.isInEmr && (
        <Notice role="note">
          <p>{t('desk.week.inEmr')}</p>
        </Notice>
      )}
      {shown.closed.length > 0 && (
        <Notice kind="caution" role="note">
          <p>{t('desk.day.closed', { spans: shown.closed.map(spanText).join('; ') })}</p>
        </Notice>
      )}
      {!save.isPending && form.elsewhere(() => ({ label: name, saved: hoursText(stored) }))}
      <Painting
        label={t('desk.day.grid')}
        days={[{ name, codes }]}
        codes={shown.codes}
        onPaint={
          mayEdit
            ? ([next]) => {
                if (isSaving) return;
                form.change({ codes: next ?? '' });
                setPreview(undefined);
                save.reset();
              }
            : null
        }
      />
      {mayEdit && (
        <div className={styles.buttons}>
          <Button
            variant="secondary"
            busy={save.isPending && wanted?.codes !== null && wanted?.version === undefined}
            busyLabel={t('desk.close.foreseeing')}
            onClick={() => send({ codes })}
          >
            {t('desk.week.foresee')}
          </Button>
          {shown.said !== null && (
            <Button
              variant="secondary"
              busy={save.isPending && wanted?.codes === null && wanted.version === undefined}
              busyLabel={t('desk.close.foreseeing')}
              onClick={() => send({ codes: null })}
            >
              {t('desk.day.toWeek')}
            </Button>
          )}
        </div>
      )}
      <Failed of={save} />
      {preview && !isSaved && (
        <Foreseen
          key={preview.version}
          outside={preview.outside}
          isSaving={isSaving}
          save={t(preview.codes === null ? 'desk.day.toWeek' : 'desk.day.save')}
          onSave={() => send({ codes: preview.codes, version: preview.version })}
          comeIn={comeIn}
        />
      )}
      {isSaved && (
        <ActionOutcome press={save.submittedAt} kind="good">
          {t(wanted?.codes === null ? 'desk.day.isLeft' : 'desk.day.saved', { day: name })}
        </ActionOutcome>
      )}
    </>
  );
}
