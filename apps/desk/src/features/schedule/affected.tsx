import { messageOf } from '@clinic/app/api-error';
import type { ApiForeseen, ApiOutside } from '@clinic/contract';
import { formatPhone } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { FailedState } from '@clinic/ui/page-states';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome } from '../../shared/desk-action.tsx';
import { Section } from '../../shared/section.tsx';
import type { usePreviewed } from '../../shared/use-previewed.ts';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import { type ForeseenTime, nameOf } from '../../shared/schedule-data.ts';
import styles from './schedule.module.css';

interface AffectedProps {
  time: ForeseenTime;
  providers: readonly { readonly id: string; readonly name: string }[];
}

/** The patients affected by a closing, by page, and the exact email to each; each page is a look. */
export function Affected({ time, providers }: AffectedProps) {
  const titleId = useId();
  const [page, setPage] = useState(0);
  const shown = useQuery({
    queryKey: ['foreseen', time, page],
    queryFn: async () => {
      const { extras } = await ask('deskForeseenPatients', { body: { ...time, page } });
      return { ...extras, page };
    },
    gcTime: 0,
    enabled: page > 0,
    placeholderData: keepPreviousData,
  });
  const show = (wanted: number, label: string, isOffered = true) => (
    <Button
      variant="secondary"
      disabled={!isOffered}
      busy={shown.isPlaceholderData || (page > 0 && shown.isPending)}
      busyLabel={t('desk.looking')}
      onClick={() => setPage(wanted)}
    >
      {label}
    </Button>
  );
  const comeIn = useComeIn(page);
  return (
    <section className={styles.form} aria-labelledby={titleId}>
      <h4 id={titleId}>{t('desk.close.affected')}</h4>
      {shown.data === undefined && !shown.isError && show(1, t('desk.close.showNames'))}
      {shown.isError && (
        <FailedState onRetry={() => void shown.refetch()} busy={shown.isFetching}>
          {messageOf(shown.error)}
        </FailedState>
      )}
      {shown.data && (
        <Fragment key={shown.data.page}>
          <p tabIndex={-1} ref={shown.isPlaceholderData ? null : comeIn}>
            {t('desk.close.page', { n: shown.data.page, pages: shown.data.pages })}
          </p>
          <AffectedPage affected={shown.data.affected} providers={providers} />
          {shown.data.pages > 1 && (
            <nav className={office.buttons} aria-label={t('desk.close.pages')}>
              {show(page - 1, t('desk.close.pageBefore'), page > 1)}
              {show(page + 1, t('desk.close.pageNext'), page < shown.data.pages)}
            </nav>
          )}
        </Fragment>
      )}
    </section>
  );
}

interface AffectedPageProps extends Pick<AffectedProps, 'providers'> {
  affected: readonly ApiForeseen[];
}

function AffectedPage({ affected, providers }: AffectedPageProps) {
  const emails = affected.flatMap(({ appointmentId, patient, email }) =>
    email === null ? [] : [{ appointmentId, patient, ...email }],
  );
  return (
    <>
      <DataTable
        caption={t('desk.close.affected')}
        showCaption
        columns={[
          t('desk.time'),
          t('desk.patient'),
          t('desk.provider'),
          t('desk.type'),
          t('desk.close.money'),
          t('desk.close.told'),
        ]}
        rows={affected.map((each) => (
          <tr key={each.appointmentId}>
            <td>{formatMoment(locale(), each.start)}</td>
            <th scope="row">{each.patient}</th>
            <td>{nameOf(each.providerId, providers)}</td>
            <td>{each.description}</td>
            <td>
              {each.paidCents > 0 ? formatMoney(locale(), each.paidCents) : t('desk.close.noMoney')}
            </td>
            <td>{toldText(each)}</td>
          </tr>
        ))}
      />
      {emails.map(({ appointmentId, patient, subject, text }, at) => (
        <details key={appointmentId} className={styles.email} open={at === 0}>
          <summary>{t('desk.close.whatTheyRead', { name: patient })}</summary>
          <p className={styles.subject}>{subject}</p>
          <p className={styles.text}>{text}</p>
        </details>
      ))}
    </>
  );
}

function toldText({ becomes, told, phone }: ApiForeseen): string {
  if (becomes === 'released') return t('desk.close.notTold');
  if (told === 'call') return callText(phone);
  return t(becomes === 'underWay' ? 'desk.close.later' : 'desk.close.byEmail');
}

export const callText = (phone: string | null): string =>
  phone === null
    ? t('desk.close.callNoPhone')
    : t('desk.close.callOn', { phone: formatPhone(phone) });

interface ForeseenProps<Answer, Input> {
  of: ReturnType<typeof usePreviewed<Answer, Input>>;
  /** Label of the button. */
  save: string;
  /** What is said once it is saved. */
  done: () => string;
}

interface Painted {
  readonly version: string;
  readonly outside: readonly ApiOutside[];
}

/** What a painted schedule would change, with the button that saves it; then that it is saved, or why not. */
export function Foreseen<Answer extends Painted, Input>({
  of,
  save,
  done,
}: ForeseenProps<Answer, Input>) {
  const { action, preview, saved, isSaving, comeIn } = of;
  const outside = preview?.answer.outside ?? [];
  return (
    <>
      <Outcome of={action} done={saved && done()} />
      {preview && !saved && (
        <Section
          key={preview.answer.version}
          title={t('desk.week.preview', { n: outside.length })}
          about={t('desk.week.stands')}
          isCard
          comeIn={comeIn}
        >
          {outside.length > 0 && (
            <DataTable
              caption={t('desk.week.outside')}
              showCaption
              columns={[
                t('desk.time'),
                t('desk.patient'),
                t('desk.type'),
                t('desk.week.why'),
                t('desk.week.reach'),
              ]}
              rows={outside.map((each) => (
                <tr key={each.appointmentId}>
                  <td>{formatMoment(locale(), each.start)}</td>
                  <th scope="row">{each.patient}</th>
                  <td>{each.description}</td>
                  <td>{whyOutside(each)}</td>
                  <td>{callText(each.phone)}</td>
                </tr>
              ))}
            />
          )}
          <div>
            <Button
              actsOn={outside.map(({ appointmentId }) => appointmentId).join(' ')}
              busy={isSaving}
              busyLabel={t('desk.saving')}
              onClick={of.save}
            >
              {save}
            </Button>
          </div>
        </Section>
      )}
    </>
  );
}

function whyOutside({ start, endsThen, isHeld }: ApiOutside): string {
  const why =
    endsThen === null
      ? t('desk.week.notOffered')
      : t('desk.week.otherLength', { n: (endsThen - start) / 60 });
  return isHeld ? t('desk.week.heldForLink', { why }) : why;
}
