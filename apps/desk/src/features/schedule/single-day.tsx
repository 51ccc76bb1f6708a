import { LoadState } from '@clinic/app/outcome';
import type { CallAnswer } from '@clinic/contract';
import { formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import type { KeptForm } from '@clinic/ui/changed-elsewhere';
import { Notice } from '@clinic/ui/notice';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../shared/api.ts';
import { useKeptFormOver } from '../../shared/form-over.tsx';
import { usePreviewed } from '../../shared/use-previewed.ts';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import { Foreseen } from './affected.tsx';
import { spanText } from '../../shared/schedule-data.ts';
import { Painting, hoursText } from './week-grid.tsx';

export type PaintedDay = KeptForm<{ readonly codes: string }>;

interface SingleDayProps {
  providerId: string;
  date: string;
  mayEdit: boolean;
  painted: PaintedDay | null;
  onPaint: (painted: PaintedDay | null) => void;
}

/** One day of a provider: shown, painted, or reset to the week's schedule. */
export function SingleDay(props: SingleDayProps) {
  const { providerId, date } = props;
  const day = useQuery({
    queryKey: ['week', providerId, 'day', date],
    queryFn: async () => (await ask('deskSingleDay', { params: { providerId, date } })).extras,
    gcTime: 0,
  });
  return day.data ? <Day {...props} shown={day.data} /> : <LoadState of={day} />;
}

type DayAnswer = CallAnswer<'deskSaveDay'>['extras'];

interface DayProps extends SingleDayProps {
  shown: CallAnswer<'deskSingleDay'>['extras'];
}

function Day({ providerId, date, mayEdit, painted, onPaint, shown }: DayProps) {
  const name = formatFullDate(locale(), date);
  const stored = shown.said ?? shown.week;
  const form = useKeptFormOver({ codes: stored }, shown.formVersion, [painted, onPaint]);
  const { codes } = form.draft;
  const day = usePreviewed({
    // Null resets the day to the week's schedule.
    send: async (wanted: string | null, by?: DayAnswer) => {
      const body = { codes: wanted, ...(by && { version: by.version }) };
      const params = { providerId, date };
      return (await ask('deskSaveDay', { params, headers: form.headers(['codes']), body })).extras;
    },
    isSaved: (answer) => answer.isSaved,
    shows: [['week', providerId]],
    onSaved: form.startAnew,
  });
  const { action, isLooking, isSaving, asked, look, drop } = day;
  return (
    <>
      <p className={office.about}>{t(shown.said === null ? 'desk.day.asWeek' : 'desk.day.own')}</p>
      {shown.closed.length > 0 && (
        <Notice kind="caution" role="note">
          <p>{t('desk.day.closed', { spans: shown.closed.map(spanText).join('; ') })}</p>
        </Notice>
      )}
      {!action.pending && form.elsewhere(() => ({ label: name, saved: hoursText(stored) }), drop)}
      <Painting
        label={t('desk.day.grid')}
        days={[{ name, codes }]}
        codes={shown.codes}
        onPaint={
          mayEdit
            ? ([next]) => {
                if (isSaving) return;
                form.change({ codes: next ?? '' });
                drop();
              }
            : null
        }
      />
      {mayEdit && (
        <div className={office.buttons}>
          <Button
            variant="secondary"
            busy={isLooking && asked !== null}
            busyLabel={t('desk.looking')}
            onClick={() => look(codes)}
          >
            {t('desk.week.foresee')}
          </Button>
          {shown.said !== null && (
            <Button
              variant="secondary"
              busy={isLooking && asked === null}
              busyLabel={t('desk.looking')}
              onClick={() => look(null)}
            >
              {t('desk.day.toWeek')}
            </Button>
          )}
        </div>
      )}
      <Foreseen
        of={day}
        save={t(asked === null ? 'desk.day.toWeek' : 'desk.day.save')}
        done={() => t(asked === null ? 'desk.day.isLeft' : 'desk.day.saved', { day: name })}
      />
    </>
  );
}
