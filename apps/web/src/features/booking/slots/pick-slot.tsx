import { formatDay } from '@clinic/texts';
import {
  dateBounds,
  formatTime,
  keyOfHold,
  nextView,
  previousView,
  type ClinicDate,
  type GridView,
} from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { EmptyState } from '@clinic/ui/page-states';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { slots } from '../../../messages/en/slots.ts';
import { loadMessages, locale, t } from '../../../messages/t.ts';
import { ApiError } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { takeAnswer } from '../../../api/query-client.ts';
import { useAction } from '../../../shared/use-action.ts';
import {
  doctorOf,
  forgetDays,
  holdQuery,
  primaryDoctorQuery,
  typeOf,
  type StepProps,
} from '../booking-data.ts';
import { StillUnknown } from '../hold/hold-calls.ts';
import { holdTime } from '../hold/hold-time.ts';
import { WhyNotHeld } from '../hold/problem-words.tsx';
import { countLeft, useTakenChips } from './live-slots.ts';
import styles from './pick-slot.module.css';
import { NextAvailable, NothingFound, SearchFailed, SlotsComing } from './search-outcome.tsx';
import type { SlotChip } from './slot-columns.ts';
import { SlotGrid } from './slot-grid.tsx';
import { useSlotSearch, viewOn, type AskedView } from './slot-search.ts';

await loadMessages({ slots });

/** Step 2: shows the free times and holds the one that the patient picks. */
export function PickSlot({ data, draft, journey, send }: StepProps<'displaySchedule'>) {
  const queryClient = useQueryClient();
  const { search } = draft;
  const type = typeOf(data, search.type);
  const doctor = search.doctor === 'earliest' ? null : doctorOf(data, search.doctor.id);
  const bounds = dateBounds(clinicNow());
  const [asked, setAsked] = useState<AskedView>(() => ({
    view: viewOn(draft.shown, search, bounds),
    automatic: true,
  }));
  const found = useSlotSearch(data, type, search, asked);

  const show = (view: GridView, automatic: boolean) => {
    hold.forget();
    setAsked({ view, automatic });
    send({ type: 'show', day: view.from });
  };

  const searchAgain = async () => {
    await forgetDays(queryClient);
    if (found.state === 'done') await found.again();
  };

  const hold = useAction({
    work: (slot: SlotChip) => {
      const { rescheduleOf } = journey;
      return holdTime(queryClient, {
        patientId: data.user.id,
        slot,
        type: search.type,
        rescheduleOf,
      });
    },
    onDone: (became) => {
      if ('booked' in became) {
        send({ type: 'booked', booked: became.booked });
        return;
      }
      const { held } = became;
      takeAnswer(queryClient, holdQuery, held);
      if (found.state === 'done') send({ type: 'show', day: found.result.view.from });
      const { doctor: doctorId, start, end } = held;
      send({
        type: 'pick',
        slot: { doctor: doctorId, start, end },
        form: type.form,
        requestKey: keyOfHold(held.id),
        answered: journey.rescheduleOf === null ? null : held.draft,
      });
    },
    onFailed: (error) => {
      const mayStand = error instanceof ApiError && error.unreachable;
      // The reason is announced first; the fresh times come after it.
      if (!mayStand && !(error instanceof StillUnknown)) void searchAgain();
    },
  });
  const taken = useTakenChips(
    found.state === 'done' ? found.grid : null,
    found.state === 'done' ? found.searchedAt : 0,
  );
  const pending = hold.pending ? hold.input : null;

  const outcome = (hold.error || journey.notice !== null) && (
    // The new key makes each refusal take the focus, even one that replaces another.
    <Notice key={hold.error ? hold.press : null} kind="caution" role="alert">
      {hold.error ? <WhyNotHeld error={hold.error} /> : <p>{journey.notice}</p>}
    </Notice>
  );

  const showDay = async (date: ClinicDate) => {
    // The cached days are empty, so fetch them again.
    await forgetDays(queryClient);
    show(viewOn(date, search, bounds), false);
  };
  const doctorId = doctor === null ? '-1' : doctor.id;
  const nextAvailable = (
    <NextAvailable
      data={data}
      type={type}
      doctorId={doctorId}
      onShow={(date) => void showDay(date)}
    />
  );

  const isGridShown = found.state === 'done' && countLeft(found.grid, taken) > 0;
  // Without a pressed chip in the grid, the outcome stands above the times or in their place.
  const beneath = isGridShown && hold.error ? hold.input : null;

  const now = found.state === 'done' ? found.result.view : asked.view;
  const later = nextView(now, bounds);
  const earlier = previousView(now, bounds);
  const byDay = now.kind === 'day';

  return (
    <>
      <div className={styles.bar}>
        <Button
          variant="quiet"
          icon={<ArrowLeft size={20} aria-hidden="true" />}
          onClick={() => send({ type: 'back' })}
        >
          {t('booking.back')}
        </Button>
        <div className={styles.moves}>
          {earlier && (
            <Button
              variant="secondary"
              icon={<ChevronLeft size={20} aria-hidden="true" />}
              onClick={() => show(earlier, false)}
            >
              {t(byDay ? 'booking.dayBefore' : 'booking.daysBefore')}
            </Button>
          )}
          {later && (
            <Button
              variant="secondary"
              className={styles.later}
              icon={<ChevronRight size={20} aria-hidden="true" />}
              onClick={() => show(later, true)}
            >
              {t(byDay ? 'booking.nextDay' : 'booking.nextDays')}
            </Button>
          )}
        </div>
      </div>
      {!beneath && outcome}
      {found.state === 'searching' && <SlotsComing />}
      {found.state === 'failed' && <SearchFailed error={found.error} onRetry={found.retry} />}
      {found.state === 'done' && (
        <div className={styles.found}>
          <div className={styles.words} role="status">
            {found.result.view.from !== asked.view.from && <p>{movedOnWords(asked.view)}</p>}
            <p className={styles.range}>{rangeWords(found.result.view)}</p>
            <p className={styles.soft}>
              {t('booking.freeCount', { count: countLeft(found.grid, taken) })}{' '}
              {t('booking.clinicTime')}{' '}
              {countLeft(found.grid, taken) > 0 && <span>{t('booking.scrollDown')}</span>}
            </p>
            <VisuallyHidden>
              {pending && t('booking.holding', { time: formatTime(pending.start) })}
            </VisuallyHidden>
          </div>
          {found.grid.primaryDoctorUnknown && (
            <Notice kind="caution" role="status">
              <p>{t('booking.primaryUnknown')}</p>
              <Button
                variant="quiet"
                onClick={() =>
                  void queryClient.refetchQueries({
                    queryKey: primaryDoctorQuery(data.user).queryKey,
                  })
                }
              >
                {t('ui.tryAgain')}
              </Button>
            </Notice>
          )}
          {isGridShown ? (
            <SlotGrid
              columns={found.grid.columns}
              type={type}
              doctor={doctor}
              pendingKey={pending?.key ?? null}
              taken={taken}
              outcome={beneath ? { pressed: beneath, words: outcome } : null}
              onPick={hold.run}
            />
          ) : (
            <EmptyState action={found.grid.primaryDoctorUnknown ? undefined : nextAvailable}>
              {t('booking.empty')}
            </EmptyState>
          )}
          {found.result.outcome === 'exhausted' && (
            <NothingFound
              key={found.result.view.from}
              result={found.result}
              type={type}
              doctorId={doctorId}
              bounds={bounds}
              onSearchOn={(view) => show(view, true)}
              onOtherDay={() => send({ type: 'back' })}
              offer={nextAvailable}
            />
          )}
        </div>
      )}
    </>
  );
}

/** Says that the requested days have no free time; the range shown instead stands beneath. */
function movedOnWords({ from, to }: GridView): string {
  return from === to
    ? t('booking.noneOn', { day: formatDay(locale(), from) })
    : t('booking.noneFrom', { from: formatDay(locale(), from), to: formatDay(locale(), to) });
}

function rangeWords({ from, to }: GridView): string {
  return from === to
    ? t('booking.freeOn', { day: formatDay(locale(), from) })
    : t('booking.freeFrom', { from: formatDay(locale(), from), to: formatDay(locale(), to) });
}
