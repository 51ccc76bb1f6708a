import type { ApiClosingEntry, CallAnswer } from '@clinic/contract';
import { formatMoment, formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import { ask, isUnknown, now } from '../api.ts';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import { callText } from './affected.tsx';
import {
  closingQuery,
  closingsQuery,
  nameOf,
  spanText,
  useLiveClosings,
  whoText,
} from './schedule-data.ts';
import styles from './schedule.module.css';
import { ScrollingTable } from './scrolling-table.tsx';

/** Progress of a closing, and the outcome for each patient. */
export function ClosingPage({ id }: { id: string }) {
  const closing = useQuery(closingQuery(id));
  const { data: all } = useQuery(closingsQuery);
  useLiveClosings();
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      {closing.isPending && <LoadingState />}
      {closing.isError && closing.data === undefined && (
        <FailedState onRetry={() => void closing.refetch()} busy={closing.isFetching}>
          {closing.error.message}
        </FailedState>
      )}
      {closing.data && <Outcome {...closing.data} providers={all?.providers ?? []} />}
      <p>
        <Link href="/schedule">{t('desk.closing.back')}</Link>
      </p>
    </main>
  );
}

type OutcomeProps = CallAnswer<'deskClosing'>['extras'] & {
  providers: readonly { readonly id: string; readonly name: string }[];
};

const comeIn = (heading: HTMLElement | null) => heading?.focus();

function Outcome({ closing, entries, providers }: OutcomeProps) {
  const { from, to, providerIds, askedBy, askedAt, doneAt, known, total, reopened } = closing;
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const said = useRef<HTMLParagraphElement>(null);
  const showReopened = () => {
    // The focused button is gone, so the message takes the focus.
    flushSync(() => setAsking(false));
    said.current?.focus();
  };
  const toCall = entries.filter(({ email }) => email === 'call' || email === 'failed').length;
  return (
    <>
      <h1 tabIndex={-1} ref={comeIn}>
        {t('desk.closing.title', { span: spanText({ from, to }) })}
      </h1>
      <p className={styles.about}>
        {t('desk.closing.by', {
          who: whoText(providerIds, providers),
          name: askedBy ?? t('desk.closings.operator'),
          when: formatMoment(locale, askedAt),
        })}
      </p>
      <p role="status" tabIndex={-1} ref={said}>
        {reopened !== null
          ? t('desk.closing.reopened', {
              name: reopened.by ?? t('desk.closings.operator'),
              when: formatMoment(locale, reopened.at),
              from: formatMoment(locale, reopened.from),
            })
          : doneAt === null
            ? t('desk.closing.underWay', { known, total })
            : t('desk.closing.isDone', { n: total })}
      </p>
      {reopened === null && to > now() && may('closeTime') && (
        <p>
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {t('desk.closing.reopen')}
          </Button>
        </p>
      )}
      {isAsking && (
        <Reopen closing={closing} onClose={() => setAsking(false)} onReopened={showReopened} />
      )}
      {doneAt === null && total > 0 && (
        <progress
          className={styles.progress}
          aria-label={t('desk.closing.progress')}
          value={known}
          max={total}
        />
      )}
      {toCall > 0 && <p className={styles.call}>{t('desk.closing.toCall', { n: toCall })}</p>}
      {entries.length > 0 && <Entries entries={entries} providers={providers} />}
    </>
  );
}

function Reopen({
  closing: { id, from, to },
  onClose,
  onReopened,
}: Pick<OutcomeProps, 'closing'> & { onClose: () => void; onReopened: () => void }) {
  const queries = useQueryClient();
  const reopen = useMutation({
    mutationFn: () => ask('deskReopenTime', { params: { id }, body: {} }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: closingQuery(id).queryKey });
      void queries.invalidateQueries({ queryKey: closingsQuery.queryKey });
      onReopened();
    },
  });
  const { error } = reopen;
  const isOpen = isUnknown(error);
  return (
    <Dialog
      title={t('desk.closing.reopenTitle', { span: spanText({ from, to }) })}
      onClose={onClose}
      actions={
        <>
          <Button
            busy={reopen.isPending}
            busyLabel={t('desk.closing.reopening')}
            onClick={() => {
              if (!reopen.isPending) reopen.mutate();
            }}
          >
            {t('desk.closing.reopen')}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t('desk.closing.keepClosed')}
          </Button>
        </>
      }
    >
      <p>{t('desk.closing.reopenAbout')}</p>
      <p className={styles.about}>{t('desk.closing.reopenInEmr')}</p>
      <ActionOutcome press={reopen.submittedAt} kind={isOpen ? 'caution' : 'danger'}>
        {isOpen ? t('desk.closing.reopenUnknown') : error?.message}
      </ActionOutcome>
    </Dialog>
  );
}

function Entries({ entries, providers }: Pick<OutcomeProps, 'entries' | 'providers'>) {
  return (
    <ScrollingTable caption={t('desk.closing.patients')}>
      <thead>
        <tr>
          <th scope="col">{t('desk.close.when')}</th>
          <th scope="col">{t('desk.close.patient')}</th>
          <th scope="col">{t('desk.close.provider')}</th>
          <th scope="col">{t('desk.close.type')}</th>
          <th scope="col">{t('desk.closing.outcome')}</th>
          <th scope="col">{t('desk.closing.email')}</th>
          <th scope="col">{t('desk.close.money')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.appointmentId}>
            <td>{formatMoment(locale, entry.start)}</td>
            <th scope="row">{entry.patient}</th>
            <td>{nameOf(entry.providerId, providers)}</td>
            <td>{entry.description}</td>
            <td>{t(`desk.outcome.${entry.outcome}`)}</td>
            <td>
              {entry.email === 'call' ? callText(entry.phone) : t(`desk.emailed.${entry.email}`)}
            </td>
            <td>{refundText(entry)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}

const refundText = ({ refund, paidCents }: ApiClosingEntry): string =>
  t(`desk.refund.${refund}`, { amount: formatMoney(locale, paidCents) });
