import { LoadState } from '@clinic/app/outcome';
import type { CallAnswer } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { toClinic, deskPages } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ask } from '../../shared/api.ts';
import { Finder } from '../../shared/booking/finder.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';
import { ChooseChart, RefusedSignUps } from './charts.tsx';
import { MergePreview } from './merge.tsx';
import { NewPatient } from '../../shared/booking/new-patient.tsx';
import { patientDialog, waitingQuery } from './patient-data.ts';
import styles from './patients.module.css';

const pathOf = (id: string) => pathTo(deskPages.patient, { id });

/** Patient search, and the patients whose documents or returned emails need attention. */
export function PatientsPage() {
  const [, goTo] = useLocation();
  const open = (id: string) => goTo(pathOf(id));
  const may = useMay();
  /** What was typed to find the new one. */
  const [added, setAdded] = useState<string>();
  return (
    <Page
      title={t('desk.patients')}
      beside={
        may('addPatient') && (
          <Button variant="secondary" onClick={() => setAdded('')}>
            {t('desk.newPatient')}
          </Button>
        )
      }
    >
      {may('findPatient') && (
        <section className={styles.card} aria-label={t('desk.findPatient')}>
          <Finder
            keepsSearch
            onPerson={may('addPatient') ? open : undefined}
            onPick={({ patientId, recordId }) => open(patientId ?? recordId)}
            onNew={may('addPatient') ? setAdded : undefined}
          />
        </section>
      )}
      {may('decideDocument') && <Waiting />}
      {added !== undefined && (
        <NewPatient
          typed={added}
          onClose={() => setAdded(undefined)}
          onPerson={(id) => goTo(pathOf(id), { state: { lookReason: 'record' } })}
        />
      )}
    </Page>
  );
}

function Waiting() {
  const titleId = useId();
  const [after, setAfter] = useState<string | null>(null);
  const waiting = useQuery({ ...waitingQuery(after), placeholderData: keepPreviousData });
  const {
    documents = [],
    bounced = [],
    toCall = [],
    pairs = [],
    unclear = [],
    refused = [],
    waiting: all = 0,
    next = null,
  } = waiting.data ?? {};
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('desk.waiting')}</h2>
      <LoadState of={waiting} />
      {waiting.data &&
        [documents, bounced, toCall, pairs, unclear, refused].every(
          (each) => each.length === 0,
        ) && <p>{t('desk.waitingNone')}</p>}
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
      <List title={t('desk.waitingToCall')} rows={toCall} />
      <List title={t('desk.waitingBounced')} rows={bounced} />
      <Unclear
        rows={unclear.map(({ why, ...row }) => ({
          ...row,
          ...(why && { what: t(`desk.chartWhy.${why}`) }),
        }))}
      />
      <RefusedSignUps rows={refused} />
      <Pairs pairs={pairs} />
    </section>
  );
}

interface WaitingRow {
  readonly patientId: string;
  readonly name: string;
  readonly at: number;
  readonly what?: string;
}

interface ListProps {
  title: string;
  rows: readonly WaitingRow[];
  children?: (row: WaitingRow) => ReactNode;
}

function List({ title, rows, children }: ListProps) {
  const titleId = useId();
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 id={titleId}>{title}</h3>
      <ul className={styles.list} aria-labelledby={titleId}>
        {rows.map((row) => {
          const { patientId, name, at, what } = row;
          return (
            <li key={`${patientId} ${at} ${what ?? ''}`}>
              <Link href={pathOf(patientId)}>{name}</Link>
              {what !== undefined && <span>{what}</span>}
              <span className={styles.soft}>
                {t('desk.waitingSince', { when: formatDay(locale(), toClinic(at).date) })}
              </span>
              {children?.(row)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Accounts that cannot book until staff say which chart of the EMR is theirs. */
function Unclear({ rows }: { rows: readonly WaitingRow[] }) {
  const may = useMay();
  const queries = useQueryClient();
  const [said, say] = useSaid();
  const [open, setOpen] = useState<WaitingRow>();
  return (
    <div>
      {said}
      <List title={t('desk.waitingCharts')} rows={rows}>
        {(row) =>
          may('addPatient') && (
            <Button
              variant="secondary"
              aria-label={t('desk.chartDecideFor', { name: row.name })}
              onClick={() => setOpen(row)}
            >
              {t('desk.chartDecide')}
            </Button>
          )
        }
      </List>
      {open && (
        <ChooseChart
          patientId={open.patientId}
          name={open.name}
          dialog={patientDialog(
            () => setOpen(undefined),
            (says) => {
              say(says);
              void queries.invalidateQueries({ queryKey: ['patients', 'waiting'] });
            },
          )}
        />
      )}
    </div>
  );
}

type Pair = NonNullable<CallAnswer<'deskPatientsWaiting'>['extras']['pairs']>[number];

/** Records that may be of one person. A manager looks at both side by side, as before any merge. */
function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  const titleId = useId();
  const [, goTo] = useLocation();
  const may = useMay();
  const [said, say] = useSaid();
  const [compared, setCompared] = useState<Pair>();
  const apart = useAction({
    work: ({ one, other }: Pair) =>
      ask('deskTellApart', { body: { one: one.recordId, other: other.recordId } }),
    shows: [['patients', 'waiting']],
    onDone: (_, { one, other }) =>
      say(t('desk.pairApart', { one: one.recordId, other: other.recordId })),
  });
  return (
    <div>
      {pairs.length > 0 && <h3 id={titleId}>{t('desk.waitingPairs')}</h3>}
      {said}
      <Outcome of={apart} />
      {pairs.length > 0 && (
        <ul className={styles.list} aria-labelledby={titleId}>
          {pairs.map((pair) => {
            const records = { one: pair.one.recordId, other: pair.other.recordId };
            const isBusy = apart.pending && apart.input === pair;
            return (
              <li key={`${records.one} ${records.other}`}>
                {[pair.one, pair.other].map(({ patientId, recordId, name, birthDate }) => (
                  <span key={recordId}>
                    <Link href={pathOf(patientId ?? recordId)}>{name}</Link>,{' '}
                    {t('desk.bornOn', { date: birthDate })},{' '}
                    {t('desk.recordNo', { record: recordId })}
                    {patientId === null && `, ${t('desk.noAccountYet')}`}
                  </span>
                ))}
                <span className={styles.soft}>
                  {t('desk.waitingSince', { when: formatDay(locale(), toClinic(pair.at).date) })}
                </span>
                <div className={styles.buttons}>
                  {may('mergePatients') && (
                    <Button
                      variant="secondary"
                      aria-label={t('desk.pairCompareThem', records)}
                      onClick={() => setCompared(pair)}
                    >
                      {t('desk.pairCompare')}
                    </Button>
                  )}
                  {may('addPatient') && (
                    <Button
                      variant="secondary"
                      actsOn={`${records.one} ${records.other}`}
                      aria-label={isBusy ? undefined : t('desk.pairApartThem', records)}
                      busy={isBusy}
                      busyLabel={t('desk.saving')}
                      onClick={() => apart.run(pair)}
                    >
                      {t('desk.pairApartDo')}
                    </Button>
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
      {compared && (
        <MergePreview
          recordId={compared.one.recordId}
          other={compared.other.recordId}
          title={t('desk.mergeTitle', { name: compared.one.name })}
          onClose={() => setCompared(undefined)}
          onMerged={(kept, says) => goTo(pathOf(kept), { state: { says } })}
        />
      )}
    </div>
  );
}
