import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import type { ApiClosingEntry, CallAnswer } from '@clinic/contract';
import { formatTime, deskPages } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { focusIfLost } from '@clinic/ui/focus';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import { DataTable } from '../../shared/data-table.tsx';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import { callText } from './affected.tsx';
import { Rebook, Rebooked, ToCall, isCalled } from './to-call.tsx';
import {
  closingQuery,
  closingsQuery,
  nameOf,
  spanText,
  whoText,
} from '../../shared/schedule-data.ts';
import { useProviders } from './providers.tsx';
import styles from './schedule.module.css';

/** Progress of a closing, and the outcome for each patient. */
export function ClosingPage({ id }: { id: string }) {
  const comeIn = useComeIn(id);
  const closing = useQuery(closingQuery(id));
  const { providers, failed } = useProviders();
  return (
    <Page>
      <LoadState of={closing} />
      {closing.data && failed}
      {closing.data && <Outcome {...closing.data} providers={providers} comeIn={comeIn} />}
      <p>
        <Link href={deskPages.schedule}>{t('desk.closing.back')}</Link>
      </p>
    </Page>
  );
}

type OutcomeProps = CallAnswer<'deskClosing'>['extras'] & {
  providers: readonly { readonly id: string; readonly name: string }[];
  comeIn: Ref<HTMLHeadingElement>;
};

function Outcome({ closing, entries, providers, comeIn }: OutcomeProps) {
  const {
    id,
    from,
    to,
    providerIds,
    askedBy,
    askedAt,
    doneAt,
    known,
    total,
    reopened,
    waitsUntil,
  } = closing;
  const may = useMay();
  const queries = useQueryClient();
  const { queryKey } = closingQuery(id);
  const [isAsking, setAsking] = useState(false);
  const said = useRef<HTMLParagraphElement>(null);
  const opener = useRef<HTMLParagraphElement>(null);
  const showReopened = () => {
    // The dialog gives the focus back to the button, which goes: the message takes it.
    flushSync(() => setAsking(false));
    focusIfLost(said.current, opener.current);
  };
  return (
    <>
      <h1 tabIndex={-1} ref={comeIn}>
        {t('desk.closing.title', { span: spanText(closing) })}
      </h1>
      <p className={office.about}>
        {t('desk.closing.by', {
          who: whoText(providerIds, providers),
          name: askedBy ?? t('desk.closings.byOperator'),
          when: formatMoment(locale(), askedAt),
        })}
      </p>
      <p role="status" tabIndex={-1} ref={said}>
        {reopened !== null
          ? t('desk.closing.reopened', {
              name: reopened.by ?? t('desk.closings.byOperator'),
              when: formatMoment(locale(), reopened.at),
              from: formatMoment(locale(), reopened.from),
            })
          : typeof waitsUntil === 'number'
            ? t('desk.closing.waits', { time: formatTime(waitsUntil) })
            : doneAt === null
              ? t('desk.closing.underWay', { known, total })
              : t('desk.closing.isDone', { n: total })}
      </p>
      {reopened === null && to > clinicNow() && may('closeTime') && (
        <p ref={opener}>
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {t('desk.closing.reopen')}
          </Button>
        </p>
      )}
      {isAsking && (
        <ActionDialog
          title={t('desk.closing.reopenTitle', { span: spanText(closing) })}
          actsOn={`${id} ${from} ${to}`}
          does={t('desk.closing.reopen')}
          doing={t('desk.opening')}
          leave={t('desk.closing.keepClosed')}
          work={() => ask('deskReopenTime', { params: { id }, body: {} })}
          shows={[queryKey, closingsQuery.queryKey]}
          unknown={t('desk.closing.reopenUnknown')}
          onDone={async () => {
            await queries.invalidateQueries({ queryKey });
            showReopened();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('desk.closing.reopenAbout')}</p>
          <p className={office.about}>{t('desk.closing.reopenInEmr')}</p>
        </ActionDialog>
      )}
      {doneAt === null && total > 0 && (
        <progress
          className={styles.progress}
          aria-label={t('desk.closing.progress')}
          value={known}
          max={total}
        />
      )}
      {entries.length > 0 && (doneAt !== null || entries.some(isCalled)) && (
        <ToCall closingId={closing.id} entries={entries} providers={providers} />
      )}
      {entries.length > 0 && (
        <Entries closingId={closing.id} entries={entries} providers={providers} />
      )}
    </>
  );
}

interface EntriesProps extends Pick<OutcomeProps, 'entries' | 'providers'> {
  closingId: string;
}

function Entries({ closingId, entries, providers }: EntriesProps) {
  return (
    <DataTable
      caption={t('desk.closing.patients')}
      showCaption
      columns={[
        t('desk.time'),
        t('desk.patient'),
        t('desk.provider'),
        t('desk.type'),
        t('desk.appointment'),
        t('desk.email'),
        t('desk.close.money'),
        t('desk.call.rebooked'),
      ]}
      rows={entries.map((entry) => (
        <tr key={entry.appointmentId}>
          <td>{formatMoment(locale(), entry.start)}</td>
          <th scope="row">
            <Link href={pathTo(deskPages.patient, { id: entry.recordId })}>{entry.patient}</Link>
          </th>
          <td>{nameOf(entry.providerId, providers)}</td>
          <td>{entry.description}</td>
          <td>{t(`desk.outcome.${entry.outcome}`)}</td>
          <td>{emailText(entry)}</td>
          <td>{refundText(entry)}</td>
          <td>
            {entry.rebooked === null && !isCalled(entry) ? (
              <Rebook closingId={closingId} entry={entry} />
            ) : (
              <Rebooked entry={entry} providers={providers} />
            )}
          </td>
        </tr>
      ))}
    />
  );
}

function emailText({ email, phones }: ApiClosingEntry): string {
  const call = callText(phones[0]?.number ?? null);
  return email === 'call' ? call : t(`desk.emailed.${email}`, { call });
}

const refundText = ({ refund, paidCents }: ApiClosingEntry): string =>
  t(`desk.refund.${refund}`, { amount: formatMoney(locale(), paidCents) });
