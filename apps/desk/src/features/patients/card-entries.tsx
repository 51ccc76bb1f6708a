import type { ApiPatientCard } from '@clinic/contract';
import { dialledPhone, formatPhone } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Checkbox } from '@clinic/ui/checkbox';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask, isOvertaken } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { PhoneLink } from '../../shared/fact.tsx';
import { useMay } from '../../shared/may.ts';
import { locale, t } from '../../shared/words.ts';
import { type Patient, type PatientDialog, patientDialog } from './patient-data.ts';
import styles from './patients.module.css';

export interface OnCard {
  /** The patient's id in the address. */
  id: string;
  onDone: (says: string) => void;
}

type Contact = ApiPatientCard['contacts'][number];
type Note = ApiPatientCard['notes'][number];

interface Entry {
  readonly of: 'contact' | 'note' | 'wish';
  readonly entryId: string;
  /** What it says, in a few words. */
  readonly what: string;
}

/** Strikes what stands on the card, and offers to put it back. */
export function useStriking(id: string) {
  const may = useMay();
  const strike = useAction({
    work: ({ of, entryId, isStruck }: Entry & { readonly isStruck: boolean }) =>
      ask('deskStrikeOnCard', { params: { id, entryId }, body: { of, isStruck } }),
    shows: [['patient', id]],
  });
  const { input, pending, done } = strike;
  const button = (entry: Entry) =>
    may('noteOnCard') && (
      <Button
        variant="quiet"
        aria-label={t('desk.strikeThis', { what: entry.what })}
        busy={pending && input?.entryId === entry.entryId}
        onClick={() => strike.run({ ...entry, isStruck: true })}
      >
        {t('desk.strike')}
      </Button>
    );
  const said = (
    <>
      <Outcome of={strike} />
      <ActionOutcome press={strike.press} kind="good">
        {done && input && (
          <div className={styles.buttons}>
            <p>{t(input.isStruck ? 'desk.struck' : 'desk.putBack', { what: input.what })}</p>
            {input.isStruck && (
              <Button variant="secondary" onClick={() => strike.run({ ...input, isStruck: false })}>
                {t('desk.putBackDo')}
              </Button>
            )}
          </div>
        )}
      </ActionOutcome>
    </>
  );
  return { button, said };
}

interface EntriesProps<One> extends OnCard {
  entries: readonly One[];
}

/** Notes of these kinds, to be written, changed and struck. */
export function Notes({
  id,
  onDone,
  entries,
  kinds,
  none,
}: EntriesProps<Note> & { kinds: readonly Note['kind'][]; none?: string }) {
  const may = useMay();
  const [edited, setEdited] = useState<Note | 'new'>();
  const striking = useStriking(id);
  const shown = entries.filter(({ kind }) => kinds.includes(kind));
  const [first = 'note'] = kinds;
  return (
    <>
      {shown.length === 0 && none !== undefined && <p>{none}</p>}
      {shown.length > 0 && (
        <ul className={styles.entries}>
          {shown.map((note) => (
            <li key={note.id}>
              <p className={note.kind === 'note' ? styles.text : styles.strong}>{note.text}</p>
              <EntryFoot
                by={t('desk.notedBy', {
                  kind: t(`desk.noteIs.${note.kind}`),
                  name: note.by ?? '',
                  when: formatMoment(locale(), note.at),
                })}
                what={beginning(note.text)}
                onChange={() => setEdited(note)}
              >
                {striking.button({ of: 'note', entryId: note.id, what: beginning(note.text) })}
              </EntryFoot>
            </li>
          ))}
        </ul>
      )}
      {striking.said}
      {may('noteOnCard') && (
        <div>
          <Button variant="secondary" onClick={() => setEdited('new')}>
            {t(`desk.noteNew.${first}`)}
          </Button>
        </div>
      )}
      {edited && (
        <NoteDialog
          id={id}
          kind={first}
          before={edited === 'new' ? undefined : edited}
          dialog={patientDialog(() => setEdited(undefined), onDone)}
        />
      )}
    </>
  );
}

const beginning = (text: string): string => Array.from(text).slice(0, 40).join('');

interface EntryFootProps {
  by: string;
  what: string;
  onChange: () => void;
  children: ReactNode;
}

function EntryFoot({ by, what, onChange, children }: EntryFootProps) {
  const may = useMay();
  return (
    <div className={styles.foot}>
      <span className={styles.soft}>{by}</span>
      {may('noteOnCard') && (
        <Button variant="quiet" aria-label={t('desk.entryChangeThis', { what })} onClick={onChange}>
          {t('desk.entryChange')}
        </Button>
      )}
      {children}
    </div>
  );
}

interface NoteDialogProps {
  id: string;
  kind: Note['kind'];
  /** What it is written in the place of. */
  before: Note | undefined;
  dialog: PatientDialog;
}

/** What is noted in the place of `before`; beside what stands there, once its writer was told that this is gone. */
function useReplacing(before: { readonly id: string } | undefined) {
  const [isGone, setGone] = useState(false);
  return {
    replaces: before && !isGone ? { replaces: before.id } : {},
    onFailed: (error: Error) => setGone(isGone || isOvertaken(error)),
    said: isGone && (
      <Notice kind="caution">
        <p>{t('desk.entryGone')}</p>
      </Notice>
    ),
  };
}

const NOTE_KINDS = ['alert', 'note', 'label'] as const;

function NoteDialog({ id, kind: first, before, dialog }: NoteDialogProps) {
  const [entryId] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState(before?.kind ?? first);
  const [text, setText] = useState(before?.text ?? '');
  const { replaces, onFailed, said } = useReplacing(before);
  return (
    <ActionDialog
      title={t(before ? 'desk.noteChange' : `desk.noteNew.${first}`)}
      actsOn={entryId}
      does={t('desk.save')}
      doing={t('desk.saving')}
      {...dialog}
      onFailed={onFailed}
      work={async () => {
        const body = { kind, text, ...replaces };
        await ask('deskNoteOnCard', { params: { id, entryId }, body });
        return t('desk.entryNoted');
      }}
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t('desk.noteKind')}
            options={NOTE_KINDS.map((each) => ({ value: each, label: t(`desk.noteAs.${each}`) }))}
            value={kind}
            onChange={setKind}
          />
          <TextArea
            label={t('desk.noteText')}
            hint={t('desk.noteHint')}
            rows={3}
            required
            maxLength={2_000}
            value={text}
            error={errorOf('text') ?? null}
            onChange={setText}
          />
          {said}
        </>
      )}
    </ActionDialog>
  );
}

/** The numbers that staff noted. With an EMR they are changed there. */
export function Contacts({
  id,
  onDone,
  entries,
  ofAccount = [],
  isInEmr,
}: EntriesProps<Contact> & Pick<Patient, 'isInEmr'> & { ofAccount?: string[] | undefined }) {
  const may = useMay();
  const [edited, setEdited] = useState<Contact | 'new'>();
  const striking = useStriking(id);
  return (
    <>
      {entries.length > 0 && (
        <ul className={styles.entries}>
          {entries.map((contact) => {
            const number = formatPhone(contact.number);
            const isOfAccount = ofAccount.some((phone) => dialledPhone(phone) === contact.number);
            return (
              <li key={contact.id}>
                <p>
                  <PhoneLink phone={number} />{' '}
                  <ContactAbout contact={contact} isOfAccount={isOfAccount} />
                </p>
                {!isInEmr && (
                  <EntryFoot
                    by={formatMoment(locale(), contact.at)}
                    what={number}
                    onChange={() => setEdited(contact)}
                  >
                    {striking.button({ of: 'contact', entryId: contact.id, what: number })}
                  </EntryFoot>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {striking.said}
      {isInEmr && <p className={styles.soft}>{t('desk.contactsInEmr')}</p>}
      {may('noteOnCard') && !isInEmr && (
        <div>
          <Button variant="secondary" onClick={() => setEdited('new')}>
            {t('desk.contactNew')}
          </Button>
        </div>
      )}
      {edited && (
        <ContactDialog
          id={id}
          before={edited === 'new' ? undefined : edited}
          dialog={patientDialog(() => setEdited(undefined), onDone)}
        />
      )}
    </>
  );
}

interface ContactAboutProps {
  contact: Contact;
  /** Whether the patient's account has the number, too. */
  isOfAccount?: boolean;
}

export function ContactAbout({ contact, isOfAccount = false }: ContactAboutProps) {
  const { kind, whose, preferred, mayLeaveMessage } = contact;
  const about = [
    t(`desk.contact.${kind}`),
    whose,
    preferred && t('desk.contactPreferred'),
    t(mayLeaveMessage ? 'desk.contactMessage' : 'desk.contactNoMessage'),
    isOfAccount && t('desk.contactOfAccount'),
  ];
  return <span className={styles.soft}>{about.filter(Boolean).join(', ')}</span>;
}

const CONTACT_KINDS = ['mobile', 'home', 'work', 'other'] as const;

interface ContactDialogProps {
  id: string;
  before: Contact | undefined;
  dialog: PatientDialog;
}

function ContactDialog({ id, before, dialog }: ContactDialogProps) {
  const [entryId] = useState(() => crypto.randomUUID());
  const [contact, setContact] = useState({
    kind: before?.kind ?? 'mobile',
    number: before ? formatPhone(before.number) : '',
    whose: before?.whose ?? '',
    preferred: before?.preferred ?? false,
    mayLeaveMessage: before?.mayLeaveMessage ?? false,
  });
  const set = (change: Partial<typeof contact>) => setContact({ ...contact, ...change });
  const { replaces, onFailed, said } = useReplacing(before);
  return (
    <ActionDialog
      title={t(before ? 'desk.contactChange' : 'desk.contactNew')}
      actsOn={entryId}
      does={t('desk.save')}
      doing={t('desk.saving')}
      {...dialog}
      onFailed={onFailed}
      work={async () => {
        const body = { ...contact, ...replaces };
        await ask('deskNoteContact', { params: { id, entryId }, body });
        return t('desk.entryNoted');
      }}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t('desk.contactNumber')}
            type="tel"
            required
            maxLength={100}
            value={contact.number}
            error={errorOf('number') ?? null}
            onChange={(number) => set({ number })}
          />
          <SelectField
            label={t('desk.contactKind')}
            options={CONTACT_KINDS.map((kind) => ({
              value: kind,
              label: t(`desk.contact.${kind}`),
            }))}
            value={contact.kind}
            onChange={(kind) => set({ kind })}
          />
          <TextField
            label={t('desk.contactWhose')}
            hint={t('desk.contactWhoseHint')}
            maxLength={100}
            value={contact.whose}
            error={errorOf('whose') ?? null}
            onChange={(whose) => set({ whose })}
          />
          <Checkbox
            label={t('desk.contactPrefer')}
            checked={contact.preferred}
            onChange={(preferred) => set({ preferred })}
          />
          <Checkbox
            label={t('desk.contactMay')}
            checked={contact.mayLeaveMessage}
            onChange={(mayLeaveMessage) => set({ mayLeaveMessage })}
          />
          {said}
        </>
      )}
    </ActionDialog>
  );
}
