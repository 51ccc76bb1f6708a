import { codeOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { ApiDeskAccount } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { type LookReason, toClinic, deskPages } from '@clinic/domain';
import { formatDay, formatLongDate, formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { Notice } from '@clinic/ui/notice';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ask } from '../../shared/api.ts';
import { BookDialog } from '../../shared/booking/book-dialog.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { AskLookReason } from '../../shared/look-reason.tsx';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import { ChartOfPatient } from './charts.tsx';
import { AddressWaits, Corrections } from './corrections.tsx';
import { Documents } from './documents.tsx';
import { Fact, Facts, PhoneLink } from '../../shared/fact.tsx';
import { Merging } from './merge.tsx';
import { Offers } from './offers.tsx';
import { type Patient, nameOf, patientQuery } from './patient-data.ts';
import styles from './patients.module.css';

/** A patient's record. The audit trail records the opening. */
export function PatientPage({ id }: { id: string }) {
  const may = useMay();
  const [lookReason, setLookReason] = useState<LookReason>();
  const comeIn = useComeIn(`${id} ${lookReason}`);
  const opened = useQuery(patientQuery(id, lookReason));
  const { error } = opened;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      {may('findPatient') && (
        <p>
          <Link href={deskPages.patients}>{t('desk.toPatients')}</Link>
        </p>
      )}
      {error && !opened.data && <h1>{t('desk.lookAtPatient')}</h1>}
      {codeOf(error) === 'lookReasonMissing' ? (
        <section className={styles.narrow}>
          <AskLookReason onReason={setLookReason} />
        </section>
      ) : (
        <LoadState of={opened} />
      )}
      {opened.data && (
        <Record patient={opened.data} id={id} lookReason={lookReason} comeIn={comeIn} />
      )}
    </main>
  );
}

interface RecordProps {
  patient: Patient;
  /** The patient's id in the address. */
  id: string;
  lookReason: LookReason | undefined;
}

function Record({
  patient,
  id,
  lookReason,
  comeIn,
}: RecordProps & { comeIn: Ref<HTMLHeadingElement> }) {
  const queries = useQueryClient();
  const may = useMay();
  const came = useHistoryState<{ says: string } | null>();
  const [said, say] = useSaid(came?.says);
  const [changes, setChanges] = useState(0);
  // Said once: not again when the page is reloaded.
  useEffect(() => history.replaceState(null, ''), []);
  const [isBooking, setBooking] = useState(false);
  const { account, link, isInEmr, recordId } = patient;
  const onDone = (says: string) => {
    say(says);
    setChanges((before) => before + 1);
    void queries.invalidateQueries({ queryKey: ['patient', id] });
  };
  const from = clinicNow();
  const isAhead = ({ start, state }: Patient['appointments'][number]) =>
    start > from && (state === 'booked' || state === 'registered');
  return (
    <>
      <div className={styles.head}>
        <h1 tabIndex={-1} ref={comeIn}>
          {nameOf(patient)}
        </h1>
        {(account?.closedAt === null || !isInEmr) && may('bookAppointment') && (
          <Button onClick={() => setBooking(true)}>{t('desk.bookAppointment')}</Button>
        )}
      </div>
      {said}
      {account !== null && account.closedAt !== null && (
        <Notice kind="caution">
          <p>{t('desk.closedOn', { when: formatMoment(locale, account.closedAt) })}</p>
        </Notice>
      )}
      <div className={styles.columns} data-acts-on={`${id} ${nameOf(patient)}`}>
        <div className={styles.column}>
          <Section title={t('desk.person')}>
            {/* Remounted after a change, to hide a shown number again: it may be out of date. */}
            <Who key={changes} patient={patient} id={id} lookReason={lookReason} />
            <Corrections of="person" patient={patient} id={id} onDone={onDone} />
            <Merging patient={patient} onDone={onDone} />
            <ChartOfPatient patient={patient} lookReason={lookReason} onDone={onDone} />
          </Section>
          <Section title={t('desk.contact')}>
            {account === null ? <p>{t('desk.withoutAccount')}</p> : <Contact account={account} />}
            {link !== null && (
              <p>
                {t(`desk.linkWaits.${link.kind}`, {
                  email: link.email,
                  until: formatMoment(locale, link.expiresAt),
                })}
              </p>
            )}
            <AddressWaits patient={patient} />
            <Corrections of="contact" patient={patient} id={id} onDone={onDone} />
          </Section>
          {account !== null && (
            <Section title={t('desk.offers')}>
              <Offers patient={patient} account={account} onDone={onDone} />
            </Section>
          )}
        </div>
        <div className={styles.column}>
          <Section title={t('desk.appointments')}>
            <Appointments
              caption={t('desk.upcoming')}
              none={t('desk.noUpcoming')}
              rows={patient.appointments.filter(isAhead).toReversed()}
            />
            <Appointments
              caption={t('desk.past')}
              none={t('desk.noPast')}
              rows={patient.appointments.filter((each) => !isAhead(each))}
            />
          </Section>
          {account !== null && (
            <>
              <Section title={t('desk.documents')}>
                <Documents documents={patient.documents} lookReason={lookReason} onDone={onDone} />
              </Section>
              <Section title={t('desk.consents')}>
                <Consents consents={patient.consents} />
              </Section>
            </>
          )}
        </div>
      </div>
      {isBooking && (
        <BookDialog
          forPerson={account?.closedAt === null ? account.id : recordId}
          onClose={() => {
            setBooking(false);
            void queries.invalidateQueries({ queryKey: ['patient', id] });
          }}
        />
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  );
}

function Who({ patient, id, lookReason }: RecordProps) {
  const { birthDate, age, card, provider, isProviderKnown, recordId, isInEmr } = patient;
  const show = useAction({
    work: async () =>
      (await ask('deskShowCard', { params: { id }, body: lookReason ? { lookReason } : {} }))
        .extras,
    gcTime: 0,
    changes: () => false,
  });
  return (
    <>
      <Facts>
        <Fact name={t('desk.birthDate')}>
          {t('desk.bornAged', { date: formatLongDate(locale, birthDate), age })}
        </Fact>
        <Fact name={t('desk.card')}>
          {!card.isKept && t('desk.cardNone')}
          {card.isKept && (
            <span className={styles.covered}>
              {card.province} {show.result ? <output>{show.result.number}</output> : '••••'}
              {!show.result && (
                <Button
                  variant="quiet"
                  busy={show.pending}
                  busyLabel={t('desk.cardShowing')}
                  onClick={() => show.run()}
                >
                  {t('desk.cardShow')}
                </Button>
              )}
            </span>
          )}
        </Fact>
        <Fact name={t('desk.responsible')}>
          {isProviderKnown
            ? (provider?.name ?? t('desk.responsibleNone'))
            : t('desk.responsibleUnknown')}
        </Fact>
        <Fact name={t('desk.record')}>{recordId}</Fact>
      </Facts>
      <Outcome of={show} />
      {isInEmr && <p className={styles.soft}>{t('desk.inEmr')}</p>}
    </>
  );
}

function Contact({ account }: { account: ApiDeskAccount }) {
  const { phones, wrongPhones = [], email, bounce, address, language, createdAt } = account;
  return (
    <>
      <Facts>
        <Fact name={t('desk.phone')}>
          {phones.map((phone) => (
            <div key={phone}>
              <PhoneLink phone={phone} isWrong={wrongPhones.includes(phone)} />
            </div>
          ))}
        </Fact>
        <Fact name={t('desk.email')}>
          <a href={`mailto:${email}`}>{email}</a>
        </Fact>
        <Fact name={t('desk.address')}>{address}</Fact>
        <Fact name={t('desk.language')}>
          {language === 'en' || language === 'fr' ? t(`desk.language.${language}`) : language}
        </Fact>
        <Fact name={t('desk.since')}>{formatLongDate(locale, toClinic(createdAt).date)}</Fact>
      </Facts>
      {bounce !== null && (
        <Notice kind="caution">
          <p>{t('desk.bounced', { when: formatDay(locale, toClinic(bounce.at).date) })}</p>
        </Notice>
      )}
    </>
  );
}

interface AppointmentsProps {
  caption: string;
  /** Text for a table without rows. */
  none: string;
  rows: Patient['appointments'];
}

function Appointments({ caption, none, rows }: AppointmentsProps) {
  return (
    <DataTable caption={caption} showCaption>
      {rows.length > 0 && (
        <thead>
          <tr>
            <th scope="col">{t('desk.when')}</th>
            <th scope="col">{t('desk.type')}</th>
            <th scope="col">{t('desk.with')}</th>
            <th scope="col">{t('desk.status')}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ id, start, description, provider, state, movedTo }) => (
          <tr key={id}>
            <td>
              {state === 'cancelled' || state === 'rescheduled' ? (
                formatMoment(locale, start)
              ) : (
                <Link
                  href={pathTo(deskPages.day, { date: toClinic(start).date }, { appointment: id })}
                >
                  {formatMoment(locale, start)}
                </Link>
              )}
            </td>
            <td>{description}</td>
            <td>{provider ?? t('desk.withNobody')}</td>
            <td>
              {movedTo
                ? t('desk.movedTo', { when: formatMoment(locale, movedTo) })
                : t(`desk.state.${state}`)}
            </td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td>{none}</td>
          </tr>
        )}
      </tbody>
    </DataTable>
  );
}

const CONSENTS = ['feeWarning', 'icbc', 'general', 'signUp'] as const;

function consentText(kind: string): string {
  const known = CONSENTS.find((each) => each === kind);
  return known === undefined ? kind : t(`desk.consent.${known}`);
}

function Consents({ consents }: Pick<Patient, 'consents'>) {
  if (consents.length === 0) return <p>{t('desk.noConsents')}</p>;
  return (
    <DataTable
      caption={t('desk.consents')}
      showCaption
      columns={[
        t('desk.consentOf'),
        t('desk.when'),
        t('desk.consentVersion'),
        t('desk.consentHow'),
      ]}
    >
      <tbody>
        {consents.map(({ kind, version, at, readOutBy }) => (
          <tr key={`${kind} ${at} ${version}`}>
            <td>{consentText(kind)}</td>
            <td>{formatMoment(locale, at)}</td>
            <td>{version}</td>
            <td>
              {readOutBy === null
                ? t('desk.consentOnline')
                : t('desk.consentReadOut', { name: readOutBy })}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
