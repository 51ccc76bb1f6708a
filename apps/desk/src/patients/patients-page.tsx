import { toClinic } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Finder } from '../booking/finder.tsx';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import { NewPatient } from './corrections.tsx';
import { waitingQuery } from './patient-data.ts';
import styles from './patients.module.css';

/** Patient search, and the patients whose documents or returned emails need attention. */
export function PatientsPage() {
  const [, goTo] = useLocation();
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <div className={styles.head}>
        <h1>{t('desk.patients')}</h1>
        {may('addPatient') && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            {t('desk.newPatient')}
          </Button>
        )}
      </div>
      {may('findPatient') && (
        <section className={styles.card} aria-label={t('desk.findPatient')}>
          <Finder
            keepsSearch
            onPick={({ patientId, recordId }) => goTo(`/patients/${patientId ?? recordId}`)}
          />
        </section>
      )}
      {may('decideDocument') && <Waiting />}
      {isAdding && (
        <NewPatient
          onClose={() => setAdding(false)}
          onAdded={(recordId) => goTo(`/patients/${recordId}`)}
        />
      )}
    </main>
  );
}

function Waiting() {
  const titleId = useId();
  const [after, setAfter] = useState<string | null>(null);
  const waiting = useQuery({ ...waitingQuery(after), placeholderData: keepPreviousData });
  const { documents = [], bounced = [], waiting: all = 0, next = null } = waiting.data ?? {};
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('desk.waiting')}</h2>
      {waiting.isPending && <LoadingState />}
      {waiting.isError && (
        <FailedState onRetry={() => void waiting.refetch()} busy={waiting.isFetching}>
          {waiting.error.message}
        </FailedState>
      )}
      {waiting.data && documents.length + bounced.length === 0 && <p>{t('desk.waitingNone')}</p>}
      <List
        title={t('desk.waitingDocuments', { n: all })}
        rows={documents.map(({ purpose, ...row }) => ({
          ...row,
          what: t(`desk.document.${purpose}`),
        }))}
      />
      {(after !== null || next !== null) && (
        <nav className={styles.buttons} aria-label={t('desk.waitingPages')}>
          <Button
            variant="secondary"
            disabled={after === null}
            busy={waiting.isPlaceholderData}
            onClick={() => setAfter(null)}
          >
            {t('desk.waitingFirst')}
          </Button>
          <Button
            variant="secondary"
            disabled={next === null}
            busy={waiting.isPlaceholderData}
            onClick={() => setAfter(next)}
          >
            {t('desk.waitingNext')}
          </Button>
        </nav>
      )}
      <List title={t('desk.waitingBounced')} rows={bounced} />
    </section>
  );
}

interface WaitingRow {
  readonly patientId: string;
  readonly name: string;
  readonly at: number;
  readonly what?: string;
}

function List({ title, rows }: { title: string; rows: readonly WaitingRow[] }) {
  const titleId = useId();
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 id={titleId}>{title}</h3>
      <ul className={styles.list} aria-labelledby={titleId}>
        {rows.map(({ patientId, name, at, what }) => (
          <li key={`${patientId} ${at} ${what ?? ''}`}>
            <Link href={`/patients/${patientId}`}>{name}</Link>
            {what !== undefined && <span>{what}</span>}
            <span className={styles.soft}>
              {t('desk.waitingSince', { when: formatDay(locale, toClinic(at).date) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
