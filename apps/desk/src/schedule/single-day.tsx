import type { CallAnswer } from '@clinic/contract';
import { formatFullDate } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, isUnknown, whyNot } from '../api.ts';
import { locale, t } from '../words.ts';
import { Foreseen } from './affected.tsx';
import { spanText } from './schedule-data.ts';
import styles from './schedule.module.css';
import { Painting } from './week-grid.tsx';

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
  if (day.data) return <Day {...props} shown={day.data} />;
  if (day.isPending) return <LoadingState />;
  return (
    <FailedState onRetry={() => void day.refetch()} busy={day.isFetching}>
      {day.error.message}
    </FailedState>
  );
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
  const [painted, setPainted] = useState<string>();
  const codes = painted ?? shown.said ?? shown.week;
  const save = useMutation({
    mutationFn: (body: Wanted) => ask('deskSaveDay', { params: { providerId, date }, body }),
    async onSuccess({ extras }) {
      if (!extras.isSaved) return;
      await queries.invalidateQueries({ queryKey: ['week', providerId] });
      setPainted(undefined);
    },
    gcTime: 0,
  });
  const wanted = save.variables;
  // Kept while it is being saved, and where that fails.
  const [preview, setPreview] = useState<Preview>();
  const send = (body: Wanted) => {
    if (save.isPending) return;
    if (body.version === undefined) setPreview(undefined);
    save.mutate(body, {
      onSuccess: ({ extras }) =>
        setPreview(extras.isSaved ? undefined : { ...extras, codes: body.codes }),
    });
  };
  const isSaving = save.isPending && wanted?.version !== undefined;
  const isSaved = save.data?.extras.isSaved === true;
  const isUnsure = isUnknown(save.error) && wanted?.version !== undefined;
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
      <Painting
        label={t('desk.day.grid')}
        days={[{ name, codes }]}
        codes={shown.codes}
        onPaint={
          mayEdit
            ? ([next]) => {
                if (isSaving) return;
                setPainted(next);
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
      <ActionOutcome press={save.submittedAt} kind={isUnsure ? 'caution' : 'danger'}>
        {isUnsure ? t('desk.changeUnknown') : whyNot(save.error)}
      </ActionOutcome>
      {preview && !isSaved && (
        <Foreseen
          key={preview.version}
          outside={preview.outside}
          isSaving={isSaving}
          save={t(preview.codes === null ? 'desk.day.toWeek' : 'desk.day.save')}
          onSave={() => send({ codes: preview.codes, version: preview.version })}
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
