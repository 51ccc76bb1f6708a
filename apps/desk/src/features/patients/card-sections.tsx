import { pathTo } from '@clinic/app/path-to';
import type { ApiPatientCard } from '@clinic/contract';
import { deskPages, toClinic } from '@clinic/domain';
import { formatDay, formatMoment, formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { Link } from 'wouter';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import { type OnCard, useStriking } from './card-entries.tsx';
import { type Patient, type PatientDialog, patientDialog } from './patient-data.ts';
import styles from './patients.module.css';

type Wish = ApiPatientCard['wishes'][number];

interface DueProps extends OnCard {
  card: ApiPatientCard;
  patient: Patient;
}

/** What somebody has to do: fees, documents, texts to read out, wishes. */
export function Due({ card, patient, id, onDone }: DueProps) {
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const striking = useStriking(id);
  const { fees, overpaid, consents, wishes } = card;
  const documents = patient.documents.filter(({ decision }) => decision === null);
  const isNothing = [fees, overpaid, consents, wishes, documents].every(
    (each) => each.length === 0,
  );
  return (
    <>
      {isNothing && <p>{t('desk.dueNone')}</p>}
      {!isNothing && (
        <ul className={styles.entries}>
          {fees.map((fee) => (
            <li key={fee.id}>
              <OnSheet of={fee}>
                {t('desk.dueFee', {
                  fee: formatMoney(locale(), fee.cents),
                  when: formatMoment(locale(), fee.start),
                })}
              </OnSheet>
            </li>
          ))}
          {overpaid.map(({ appointmentId, start, oldCents, newCents }) => (
            <li key={appointmentId}>
              <OnSheet of={{ id: appointmentId, start }}>
                {t('desk.dueFeeBack', {
                  fee: formatMoney(locale(), oldCents),
                  when: formatMoment(locale(), start),
                  now: formatMoney(locale(), newCents),
                })}
              </OnSheet>
            </li>
          ))}
          {consents.map((booked) => (
            <li key={booked.id}>
              <OnSheet of={booked}>
                {t('desk.dueConsent', { when: formatMoment(locale(), booked.start) })}
              </OnSheet>
            </li>
          ))}
          {documents.map((document) => (
            <li key={document.id}>
              {t('desk.dueDocument', { what: t(`desk.document.${document.purpose}`) })}
            </li>
          ))}
          {wishes.map((wish) => (
            <li key={wish.id}>
              <div className={styles.foot}>
                <span>{wishText(wish)}</span>
                {striking.button({ of: 'wish', entryId: wish.id, what: wishText(wish) })}
              </div>
            </li>
          ))}
        </ul>
      )}
      {striking.said}
      {may('noteOnCard') && (
        <div>
          <Button variant="secondary" onClick={() => setNew(true)}>
            {t('desk.wishNew')}
          </Button>
        </div>
      )}
      {isNew && (
        <WishDialog
          id={id}
          types={patient.types}
          doctors={card.doctors}
          dialog={patientDialog(() => setNew(false), onDone)}
        />
      )}
    </>
  );
}

interface OnSheetProps {
  of: { readonly id: string; readonly start: number };
  children: string;
}

function OnSheet({ of: { id, start }, children }: OnSheetProps) {
  const { date } = toClinic(start);
  return <Link href={pathTo(deskPages.day, { date }, { appointment: id })}>{children}</Link>;
}

/** 'Follow-up: Short appointment, Dr. A. Stone, until Fri Dec 4 2026'. */
function wishText({ kind, description, provider, from, to }: Wish): string {
  const parts = [
    description,
    provider,
    from && t('desk.wishFromDay', { day: formatDay(locale(), from) }),
    to && t('desk.wishToDay', { day: formatDay(locale(), to) }),
  ].filter(Boolean);
  const what = parts.length === 0 ? t('desk.wishAny') : parts.join(', ');
  return t(`desk.wish.${kind}`, { what });
}

interface WishDialogProps extends Pick<Patient, 'types'>, Pick<ApiPatientCard, 'doctors'> {
  id: string;
  dialog: PatientDialog;
}

const ANY = '';

function WishDialog({ id, types, doctors, dialog }: WishDialogProps) {
  const [entryId] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<Wish['kind']>('followUp');
  const [wish, setWish] = useState({ type: ANY, providerId: ANY, from: ANY, to: ANY });
  const set = (change: Partial<typeof wish>) => setWish({ ...wish, ...change });
  const any = { value: ANY, label: t('desk.wishAny') };
  return (
    <ActionDialog
      title={t('desk.wishNew')}
      actsOn={entryId}
      does={t('desk.save')}
      doing={t('desk.saving')}
      {...dialog}
      work={async () => {
        const { type, providerId, from, to } = wish;
        const body = {
          kind,
          type: type || null,
          providerId: providerId || null,
          from: from || null,
          to: to || null,
        };
        await ask('deskNoteWish', { params: { id, entryId }, body });
        return t('desk.entryNoted');
      }}
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t('desk.wishKind')}
            options={(['followUp', 'earlier'] as const).map((each) => ({
              value: each,
              label: t(`desk.wishAs.${each}`),
            }))}
            value={kind}
            onChange={setKind}
          />
          <SelectField
            label={t('desk.type')}
            options={[
              any,
              ...types.map(({ code, description }) => ({
                value: code,
                label: description,
              })),
            ]}
            value={wish.type}
            onChange={(type) => set({ type })}
          />
          <SelectField
            label={t('desk.with')}
            options={[any, ...doctors.map(({ id: value, name: label }) => ({ value, label }))]}
            value={wish.providerId}
            onChange={(providerId) => set({ providerId })}
          />
          <TextField
            label={t('desk.wishFrom')}
            type="date"
            value={wish.from}
            error={errorOf('from') ?? null}
            onChange={(from) => set({ from })}
          />
          <TextField
            label={t('desk.wishTo')}
            type="date"
            value={wish.to}
            error={errorOf('to') ?? null}
            onChange={(to) => set({ to })}
          />
        </>
      )}
    </ActionDialog>
  );
}

/** Who has the same phone number or address; each opens. */
export function Family({ family }: Pick<ApiPatientCard, 'family'>) {
  if (family.length === 0) return <p>{t('desk.familyNone')}</p>;
  return (
    <ul className={styles.list}>
      {family.map(({ patientId, recordId, name, age, samePhone, sameAddress }) => (
        <li key={recordId}>
          <Link href={pathTo(deskPages.patient, { id: patientId ?? recordId })}>
            {t('desk.familyMember', { name, age })}
          </Link>
          <span className={styles.soft}>
            {[samePhone && t('desk.samePhone'), sameAddress && t('desk.sameAddress')]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function LatestMessages({ messages }: Pick<ApiPatientCard, 'messages'>) {
  if (messages.length === 0) return <p>{t('desk.messagesNone')}</p>;
  return (
    <ul className={styles.list}>
      {messages.map(({ id, changedAt, state, message }) => (
        <li key={id}>
          <Link href={pathTo(deskPages.messages, {}, { message: id })}>{message}</Link>
          <span className={styles.soft}>
            {formatMoment(locale(), changedAt)}, {t(`desk.messageState.${state}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}
