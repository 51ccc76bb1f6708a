import { useQuery, useQueryClient } from '@tanstack/react-query';
import { arrange, type Section, patientPages } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { focusIfLost } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { LoadingState } from '@clinic/ui/page-states';
import { Spinner } from '@clinic/ui/spinner';
import { CalendarPlus, RotateCw, ChevronDown } from 'lucide-react';
import { useCallback, useState, useId, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../messages/t.ts';
import { messageOf } from '@clinic/app/api-error';
import { appointmentsQuery } from '../../api/appointments.ts';
import { useClinicMinute } from '@clinic/app/use-clock';
import { useUser } from '../../shared/session/session.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { useAction } from '../../shared/use-action.ts';
import { ClinicContact } from '../../shared/shell/clinic-contact.tsx';
import { sawAppointments } from '../../shared/unsettled-request.ts';
import { AppointmentCard } from './appointment-card.tsx';
import styles from './appointment-list.module.css';
import { listedFromApi, type ListedAppointment } from './listed-appointment.ts';

interface AppointmentListProps {
  onCancel: (appointment: ListedAppointment) => void;
  onReschedule: (appointment: ListedAppointment) => void;
}

const EMPTY = {
  upcoming: 'appointments.noUpcoming',
  previous: 'appointments.noPrevious',
  cancelled: 'appointments.noCancelled',
} as const satisfies Record<Section, string>;

/** Upcoming, Previous and Cancelled; appointments older than 24 months are shown on request. */
export function AppointmentList({ onCancel, onReschedule }: AppointmentListProps) {
  const [all, setAll] = useState(false);
  const now = useClinicMinute();
  const list = useQuery({ ...appointmentsQuery({ all }), refetchOnMount: 'always' });
  const queryClient = useQueryClient();
  const showOlder = useAction({
    work: () => queryClient.fetchQuery({ ...appointmentsQuery({ all: true }), staleTime: 0 }),
    onDone: () => {
      // The pressed button disappears; those that were asked for begin here.
      flushSync(() => setAll(true));
      focusIfLost(document.getElementById(previousId));
    },
  });
  const previousId = useId();

  // A list fetched for this page shows what became of a request without an answer, so the request
  // no longer counts as unsettled in the browser.
  const { id } = useUser();
  const fresh = list.isFetchedAfterMount ? list.data : undefined;
  const seen = useCallback(() => {
    if (fresh)
      sawAppointments(
        id,
        fresh.appointments.map((appointment) => appointment.id),
      );
  }, [id, fresh]);

  const tryAgain = (
    <Button
      variant="quiet"
      icon={<RotateCw size={18} aria-hidden="true" />}
      onClick={() => void list.refetch()}
    >
      {t('ui.tryAgain')}
    </Button>
  );
  const isFailed = list.isError && !list.isFetching;
  // A failed load shows only a button to try again.
  if (!list.data)
    return isFailed ? <div>{tryAgain}</div> : <LoadingState label={t('appointments.loading')} />;

  // True on the first load and for older appointments; other refetches must not disable buttons.
  const awaited = (list.isFetching && !list.isFetchedAfterMount) || showOlder.pending;
  const { doctors, hasOlder } = list.data;
  const appointments = arrange(list.data.appointments.map(listedFromApi), now);
  const cards = (section: Section) =>
    appointments[section].map((appointment) => (
      <AppointmentCard
        key={appointment.api.id}
        appointment={appointment}
        doctors={doctors}
        now={now}
        {...(section === 'upcoming' ? { actions: { onCancel, onReschedule } } : {})}
      />
    ));
  const foldOthers = appointments.upcoming.length > 0;
  const section = (name: Section, open: boolean) => ({
    title: t(`appointments.${name}`),
    count: appointments[name].length,
    empty: t(EMPTY[name]),
    initiallyOpen: open,
  });

  return (
    <div ref={seen} className={styles.list} aria-busy={awaited}>
      {isFailed && (
        <Notice kind="caution" role="status">
          <p>{t('appointments.notRenewed')}</p>
          {tryAgain}
        </Notice>
      )}
      <AppointmentSection
        {...section('upcoming', true)}
        after={
          appointments.upcoming.length === 0 ? (
            <ButtonLink
              to={patientPages.booking}
              icon={<CalendarPlus size={20} aria-hidden="true" />}
            >
              {t('appointments.book')}
            </ButtonLink>
          ) : (
            <ClinicContact />
          )
        }
      >
        {cards('upcoming')}
      </AppointmentSection>
      <AppointmentSection {...section('previous', !foldOthers)} id={previousId}>
        {cards('previous')}
      </AppointmentSection>
      <AppointmentSection {...section('cancelled', !foldOthers)}>
        {cards('cancelled')}
      </AppointmentSection>
      {hasOlder && !all && (
        <div>
          <Button variant="secondary" busy={showOlder.pending} onClick={() => showOlder.run()}>
            {t('appointments.older')}
          </Button>
          <ActionOutcome press={showOlder.press} kind="caution">
            {showOlder.error && messageOf(showOlder.error)}
          </ActionOutcome>
        </div>
      )}
      {awaited && (
        <div className={styles.overlay}>
          <Spinner label={t('appointments.loading')} className={styles.spinner ?? ''} />
        </div>
      )}
    </div>
  );
}

interface AppointmentSectionProps {
  title: string;
  count: number;
  /** Text for an empty section. */
  empty: string;
  initiallyOpen: boolean;
  children: ReactNode;
  /** Content beneath the cards. */
  after?: ReactNode;
  /** Id of the button that folds it. */
  id?: string;
}

/** A collapsible section; its title shows the number of cards. */
function AppointmentSection(props: AppointmentSectionProps) {
  const { title, count, empty, initiallyOpen, children, after } = props;
  const ownId = useId();
  const { id = ownId } = props;
  const [open, setOpen] = useState(initiallyOpen);
  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className={styles.title} id={`${id}-title`}>
        <button
          type="button"
          id={id}
          className={styles.fold}
          aria-expanded={open}
          aria-controls={`${id}-body`}
          onClick={() => setOpen(!open)}
        >
          <span>
            {title} <span className={styles.count}>{t('appointments.count', { count })}</span>
          </span>
          <ChevronDown size={24} aria-hidden="true" className={styles.arrow} />
        </button>
      </h2>
      <div id={`${id}-body`} className={styles.body} data-open={open}>
        {count === 0 ? (
          <p className={styles.empty}>{empty}</p>
        ) : (
          <ul className={styles.cards}>{children}</ul>
        )}
        {after}
      </div>
    </section>
  );
}
