import { useQuery } from '@tanstack/react-query';
import { arrange, type Section } from '@clinic/domain';
import { CalendarPlus, RotateCw, ChevronDown } from 'lucide-react';
import { useEffect, useState, useId, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { appointmentsQuery } from '../../shared/api/appointments.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { useUser } from '../../shared/session/session.ts';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { LoadingState } from '../../shared/ui/page-states.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { sawVisits } from '../../shared/unsettled-request.ts';
import { VisitCard } from './visit-card.tsx';
import styles from './visit-list.module.css';
import { visitFromApi, type Visit } from './visit.ts';

interface VisitListProps {
  onCancel: (visit: Visit) => void;
  onReschedule: (visit: Visit) => void;
}

const EMPTY = {
  upcoming: 'appointments.noUpcoming',
  previous: 'appointments.noPrevious',
  cancelled: 'appointments.noCancelled',
} as const satisfies Record<Section, string>;

/** Upcoming, Previous, Cancelled; those of more than 24 months ago when asked for. */
export function VisitList({ onCancel, onReschedule }: VisitListProps) {
  const [all, setAll] = useState(false);
  const list = useQuery({
    ...appointmentsQuery({ all }),
    refetchOnMount: 'always',
    placeholderData: (before) => before,
  });

  // Fetched for this page: the patient now sees what became of a request without an answer.
  const { id } = useUser();
  const fresh = list.isFetchedAfterMount ? list.data : undefined;
  useEffect(() => {
    if (fresh)
      sawVisits(
        id,
        fresh.appointments.map((visit) => visit.id),
      );
  }, [id, fresh]);

  // A failed load says nothing; it leaves a way to try again.
  if (!list.data)
    return list.isError && !list.isFetching ? (
      <div>
        <Button
          variant="quiet"
          icon={<RotateCw size={18} aria-hidden="true" />}
          onClick={() => void list.refetch()}
        >
          {t('ui.tryAgain')}
        </Button>
      </div>
    ) : (
      <LoadingState label={t('appointments.loading')} />
    );

  const { doctors, hasOlder } = list.data;
  const visits = arrange(list.data.appointments.map(visitFromApi), clinicNow());
  const cards = (section: Section) =>
    visits[section].map((visit) => (
      <VisitCard
        key={visit.wire.id}
        visit={visit}
        doctors={doctors}
        {...(section === 'upcoming' ? { actions: { onCancel, onReschedule } } : {})}
      />
    ));
  const foldOthers = visits.upcoming.length > 0;
  const section = (name: Section, open: boolean) => ({
    title: t(`appointments.${name}`),
    count: visits[name].length,
    empty: t(EMPTY[name]),
    initiallyOpen: open,
  });

  return (
    <div className={styles.list} aria-busy={list.isFetching}>
      <VisitSection
        {...section('upcoming', true)}
        after={
          visits.upcoming.length === 0 && (
            <ButtonLink to="/" icon={<CalendarPlus size={20} aria-hidden="true" />}>
              {t('appointments.book')}
            </ButtonLink>
          )
        }
      >
        {cards('upcoming')}
      </VisitSection>
      <VisitSection {...section('previous', !foldOthers)}>{cards('previous')}</VisitSection>
      <VisitSection {...section('cancelled', !foldOthers)}>{cards('cancelled')}</VisitSection>
      {hasOlder && !all && (
        <div>
          <Button variant="secondary" onClick={() => setAll(true)}>
            {t('appointments.older')}
          </Button>
        </div>
      )}
      {list.isFetching && (
        <div className={styles.overlay}>
          <Spinner label={t('appointments.loading')} className={styles.spinner ?? ''} />
        </div>
      )}
    </div>
  );
}

interface VisitSectionProps {
  title: string;
  count: number;
  /** Said when there is nothing. */
  empty: string;
  initiallyOpen: boolean;
  children: ReactNode;
  /** Beneath the cards. */
  after?: ReactNode;
}

/** A section that folds; how many cards it has stands beside its name. */
function VisitSection(props: VisitSectionProps) {
  const { title, count, empty, initiallyOpen, children, after } = props;
  const id = useId();
  const [open, setOpen] = useState(initiallyOpen);
  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className={styles.title} id={`${id}-title`}>
        <button
          type="button"
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
