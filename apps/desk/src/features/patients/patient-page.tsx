import { codeOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { ApiChangedFee, ApiDeskAccount, ApiPatientCard } from '@clinic/contract';
import { type LookReason, deskPages, dialledPhone, formatPhone, toClinic } from '@clinic/domain';
import { formatDay, formatLongDate, formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { useComeIn } from '@clinic/ui/come-in';
import { Notice } from '@clinic/ui/notice';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ask } from '../../shared/api.ts';
import { BookDialog } from '../../shared/booking/book-dialog.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { AskLookReason } from '../../shared/look-reason.tsx';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import { locale, t } from '../../shared/words.ts';
import { ContactAbout, Contacts, Notes } from './card-entries.tsx';
import { Due, Family, LatestMessages } from './card-sections.tsx';
import { ChartOfPatient } from './charts.tsx';
import { ChangedFees } from './changed-fees.tsx';
import { AddressWaits, Corrections } from './corrections.tsx';
import { Documents } from './documents.tsx';
import { Fact, Facts, PhoneLink } from '../../shared/fact.tsx';
import { Appointments, Consents } from './history.tsx';
import { Merging } from './merge.tsx';
import { Offers } from './offers.tsx';
import { type Done, type Patient, nameOf, patientQuery } from './patient-data.ts';
import styles from './patients.module.css';

/** A patient's record. The audit trail records the opening. */
export function PatientPage({ id }: { id: string }) {
  const may = useMay();
  // Whoever has just opened a record has said why.
  const came = useHistoryState<{ lookReason?: LookReason } | null>();
  const [lookReason, setLookReason] = useState(came?.lookReason);
  const comeIn = useComeIn(`${id} ${lookReason}`);
  const opened = useQuery(patientQuery(id, lookReason));
  const { error } = opened;
  return (
    <Page>
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
    </Page>
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
  const { account, link, isInEmr, recordId, onCard } = patient;
  const [fees, setFees] = useState<readonly ApiChangedFee[]>([]);
  const onDone: Done = (says, changed) => {
    say(says);
    if (changed) setFees(changed);
    setChanges((before) => before + 1);
    void queries.invalidateQueries({ queryKey: ['patient', id] });
  };
  const from = clinicNow();
  const isAhead = ({ start, state }: Patient['appointments'][number]) =>
    start > from && (state === 'booked' || state === 'registered');
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1 tabIndex={-1} ref={comeIn}>
            {nameOf(patient)}
          </h1>
          <Reach patient={patient} />
        </div>
        {(account?.closedAt === null || !isInEmr) && may('bookOwn') && (
          <Button onClick={() => setBooking(true)}>{t('desk.bookAppointment')}</Button>
        )}
      </div>
      {said}
      {fees.length > 0 && (
        <Section title={t('desk.feesChanged')}>
          <ChangedFees fees={fees} onDone={onDone} />
        </Section>
      )}
      {account !== null && account.closedAt !== null && (
        <Notice kind="caution">
          <p>{t('desk.closedOn', { when: formatMoment(locale(), account.closedAt) })}</p>
        </Notice>
      )}
      <div className={styles.column} data-acts-on={`${id} ${nameOf(patient)}`}>
        {onCard && (
          <Section
            title={t('desk.alerts')}
            isLoud={onCard.notes.some(({ kind }) => kind === 'alert')}
          >
            <Notes
              id={id}
              onDone={onDone}
              entries={onCard.notes}
              kinds={['alert']}
              none={t('desk.notesNone')}
            />
          </Section>
        )}
        <div className={styles.overview}>
          <div className={styles.column}>
            <Section title={t('desk.upcoming')}>
              <Appointments
                caption={t('desk.upcoming')}
                none={t('desk.noUpcoming')}
                rows={patient.appointments.filter(isAhead).toReversed()}
              />
            </Section>
            {onCard && (
              <Section title={t('desk.due')}>
                <Due card={onCard} patient={patient} id={id} onDone={onDone} />
              </Section>
            )}
            <Section title={t('desk.contact')}>
              {account === null ? (
                <p>{t('desk.withoutAccount')}</p>
              ) : (
                <Contact account={account} noted={onCard?.contacts} />
              )}
              {onCard && (
                <Contacts
                  id={id}
                  onDone={onDone}
                  entries={onCard.contacts}
                  ofAccount={account?.phones}
                  isInEmr={isInEmr}
                />
              )}
              {link !== null && (
                <p>
                  {t(`desk.linkWaits.${link.kind}`, {
                    email: link.email,
                    until: formatMoment(locale(), link.expiresAt),
                  })}
                </p>
              )}
              <AddressWaits patient={patient} />
              <Corrections of="contact" patient={patient} id={id} onDone={onDone} />
            </Section>
            {onCard && may('findPatient') && (
              <Section title={t('desk.family')}>
                <Family family={onCard.family} />
              </Section>
            )}
          </div>
          {onCard && (
            <div className={styles.column}>
              <Section title={t('desk.notes')}>
                <Notes
                  id={id}
                  onDone={onDone}
                  entries={onCard.notes}
                  kinds={['note', 'label']}
                  none={t('desk.notesNone')}
                />
              </Section>
              {account !== null && (
                <Section title={t('desk.messagesOf')}>
                  <LatestMessages messages={onCard.messages} />
                </Section>
              )}
            </div>
          )}
        </div>
        <div className={styles.columns}>
          <div className={styles.column}>
            <Section title={t('desk.person')}>
              {/* Remounted after a change, to hide a shown number again: it may be out of date. */}
              <Who key={changes} patient={patient} id={id} lookReason={lookReason} />
              <Corrections of="person" patient={patient} id={id} onDone={onDone} />
              <Merging patient={patient} onDone={onDone} />
              <ChartOfPatient patient={patient} lookReason={lookReason} onDone={onDone} />
            </Section>
            {account !== null && (
              <Section title={t('desk.offers')}>
                <Offers patient={patient} account={account} onDone={onDone} />
              </Section>
            )}
          </div>
          <div className={styles.column}>
            <Section title={t('desk.past')}>
              <Appointments
                caption={t('desk.past')}
                none={t('desk.noPast')}
                rows={patient.appointments.filter((each) => !isAhead(each))}
              />
            </Section>
            {account !== null && (
              <>
                <Section title={t('desk.documents')}>
                  <Documents
                    documents={patient.documents}
                    lookReason={lookReason}
                    onDone={onDone}
                  />
                </Section>
                <Section title={t('desk.consents')}>
                  <Consents consents={patient.consents} />
                </Section>
              </>
            )}
          </div>
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

/** The number to call first: the first thing that the keyboard comes to. */
function Reach({ patient: { account, onCard } }: { patient: Patient }) {
  const [noted] = onCard?.contacts ?? [];
  const { phones = [], wrongPhones = [] } = account ?? {};
  const [own] = phones.filter((phone) => !wrongPhones.includes(phone));
  if (noted !== undefined && (noted.preferred || own === undefined))
    return (
      <p>
        <PhoneLink phone={formatPhone(noted.number)} /> <ContactAbout contact={noted} />
      </p>
    );
  return own === undefined ? null : (
    <p>
      <PhoneLink phone={own} />
    </p>
  );
}

interface SectionProps {
  title: string;
  isLoud?: boolean;
  children: ReactNode;
}

function Section({ title, isLoud = false, children }: SectionProps) {
  const titleId = useId();
  return (
    <section className={classNames(styles.card, isLoud && styles.loud)} aria-labelledby={titleId}>
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
          {t('desk.bornAged', { date: formatLongDate(locale(), birthDate), age })}
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

interface ContactProps {
  account: ApiDeskAccount;
  /** The numbers on the card, beneath. */
  noted: ApiPatientCard['contacts'] | undefined;
}

function Contact({ account, noted = [] }: ContactProps) {
  const { phones, wrongPhones = [], email, bounce, address, language, createdAt } = account;
  const notNoted = phones.filter(
    (phone) => !noted.some(({ number }) => number === dialledPhone(phone)),
  );
  return (
    <>
      <Facts>
        {notNoted.length > 0 && (
          <Fact name={t('desk.phone')}>
            {notNoted.map((phone) => (
              <div key={phone}>
                <PhoneLink phone={phone} isWrong={wrongPhones.includes(phone)} />
              </div>
            ))}
          </Fact>
        )}
        <Fact name={t('desk.email')}>
          <a href={`mailto:${email}`}>{email}</a>
        </Fact>
        <Fact name={t('desk.address')}>{address}</Fact>
        <Fact name={t('desk.language')}>
          {language === 'en' || language === 'fr' ? t(`desk.language.${language}`) : language}
        </Fact>
        <Fact name={t('desk.since')}>{formatLongDate(locale(), toClinic(createdAt).date)}</Fact>
      </Facts>
      {bounce !== null && (
        <Notice kind="caution">
          <p>{t('desk.bounced', { when: formatDay(locale(), toClinic(bounce.at).date) })}</p>
        </Notice>
      )}
    </>
  );
}
