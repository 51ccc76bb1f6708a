import { useQuery } from '@tanstack/react-query';
import { arrange } from '@clinic/domain';
import type { Section } from '@clinic/domain';
import { CalendarPlus, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../messages/t.ts';
import { appointmentsQuery } from '../../shared/api/appointments.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { useUser } from '../../shared/session/session.ts';
import { sawVisits } from '../../shared/unsettled-request.ts';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { LoadingState } from '../../shared/ui/page-states.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { VisitCard } from './visit-card.tsx';
import styles from './visit-list.module.css';
import { VisitSection } from './visit-section.tsx';
import { visitFromWire, type Visit } from './visit.ts';

interface VisitListProps {
  onCancel: (visit: Visit) => void;
  onReschedule: (visit: Visit) => void;
}

const EMPTY = {
  upcoming: 'appointments.noUpcoming',
  previous: 'appointments.noPrevious',
  cancelled: 'appointments.noCancelled',
} as const satisfies Record<Section, string>;

/** Upcoming, Previous, Cancelled; those of more than 24 months ago when asked for (§2, R-55). */
export function VisitList({ onCancel, onReschedule }: VisitListProps) {
  const [all, setAll] = useState(false);
  const list = useQuery({
    ...appointmentsQuery({ all }),
    refetchOnMount: 'always',
    placeholderData: (before) => before,
  });

  // Fetched for this page: what was asked for without an answer is now read of.
  const { id } = useUser();
  const fresh = list.isFetchedAfterMount ? list.data : undefined;
  useEffect(() => {
    if (fresh)
      sawVisits(
        id,
        fresh.appointments.map((visit) => visit.id),
      );
  }, [id, fresh]);

  // A failed load says nothing; it leaves a way to try again (§8, R-55).
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
  const visits = arrange(list.data.appointments.map(visitFromWire), clinicNow());
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
