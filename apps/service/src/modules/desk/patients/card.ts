import { type ApiPatientCard, deskCalls } from '@clinic/contract';
import { type Doctor, PHONE_FIELDS, ageOn, doctorName, mayAny, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { e164Of } from '../../../server/phones.ts';
import { DONE } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { Refusal, invalid, refuse } from '../../../server/refusal.ts';
import { type Person, personOf } from '../../accounts/index.ts';
import { latestMessages } from '../../messages/index.ts';
import {
  cardOfRecord,
  contactNumber,
  familyOf,
  noteOnCard,
  strikeOnCard,
} from '../../patients/index.ts';
import { keptProviders } from '../../records/index.ts';
import { knownTypes } from '../../schedule/index.ts';
import { namesOfStaff, ownOnly } from '../../staff/index.ts';
import { changedFees } from '../day/changed-fees.ts';
import { startsOfRecord } from '../day/day-sheet.store.ts';
import { type ListedAppointment, consentsToRead } from './patients.store.ts';

const MOST_FAMILY = 20;
const MOST_MESSAGES = 5;

/** What staff note on the card of a patient; a clinician on those of their own patients. */
export function registerCard(app: FastifyInstance, platform: Platform): void {
  const { db } = platform.database;

  async function recordFor(staff: SignedInStaff, named: string): Promise<string | Refusal> {
    const person = await personOf(db, named);
    const isSeen = person !== null && (await isOwn(platform, staff, person.recordId));
    return isSeen ? person.recordId : refuse('notFound');
  }

  route(app, deskCalls.deskNoteContact, async ({ params, body, staff, who }) => {
    const recordId = await recordFor(staff, params.id);
    if (recordId instanceof Refusal) return recordId;
    const number = contactNumber(body.number);
    if (number === null) return invalid('number', 'phoneNoNumber');
    const contact = { ...body, number, whose: body.whose.trim(), of: 'contact' as const };
    const by = { ...who, staffId: staff.id };
    return (await noteOnCard(platform, recordId, { ...contact, id: params.entryId }, by)) ?? DONE;
  });

  route(app, deskCalls.deskNoteOnCard, async ({ params, body, staff, who }) => {
    const recordId = await recordFor(staff, params.id);
    if (recordId instanceof Refusal) return recordId;
    const text = body.text.trim();
    if (text === '') return invalid('text', 'messageEmpty');
    const note = { ...body, text, id: params.entryId, of: 'note' as const };
    return (await noteOnCard(platform, recordId, note, { ...who, staffId: staff.id })) ?? DONE;
  });

  route(app, deskCalls.deskNoteWish, async ({ params, body, staff, who }) => {
    const recordId = await recordFor(staff, params.id);
    if (recordId instanceof Refusal) return recordId;
    const { type, providerId, from, to } = body;
    if (type !== null && !(await knownTypes(db)).some(({ code }) => code === type))
      return invalid('type', 'notInTheList');
    if (providerId !== null && !(await keptProviders(db)).some(({ id }) => id === providerId))
      return invalid('providerId', 'notInTheList');
    if (from !== null && to !== null && from > to) return invalid('to', 'rangeReversed');
    const wish = { ...body, id: params.entryId, of: 'wish' as const };
    return (await noteOnCard(platform, recordId, wish, { ...who, staffId: staff.id })) ?? DONE;
  });

  route(app, deskCalls.deskStrikeOnCard, async ({ params, body, staff, who }) => {
    const recordId = await recordFor(staff, params.id);
    if (recordId instanceof Refusal) return recordId;
    return (await strikeOnCard(platform, recordId, { ...body, id: params.entryId }, who)) ?? DONE;
  });
}

/** Whether staff may open this record: a clinician only that of their own patient. */
export async function isOwn(
  { database }: Pick<Platform, 'database'>,
  staff: SignedInStaff,
  recordId: string,
): Promise<boolean> {
  const whose = ownOnly(staff);
  return whose === null || (await startsOfRecord(database.db, recordId, whose)).length > 0;
}

const named = (provider: Doctor | undefined) => provider && doctorName(provider);

/** The card of a person, and the records of the family that it shows. */
export async function openCard(
  platform: Platform,
  person: Person,
  appointments: readonly ListedAppointment[],
  {
    staff,
    now,
    locale,
  }: Pick<RequestContext<typeof deskCalls.deskOpenPatient>, 'staff' | 'now' | 'locale'>,
): Promise<{ readonly card: ApiPatientCard; readonly shown: readonly string[] }> {
  const { db } = platform.database;
  const { recordId, account } = person;
  const today = toClinic(now).date;
  const { contacts, notes, wishes } = await cardOfRecord(platform, recordId, today);
  const numbers = [
    ...contacts.map(({ number }) => number),
    ...(account === null ? [] : PHONE_FIELDS.map((field) => e164Of(account, field))),
  ].filter((number) => number !== null);
  const mayFind = mayAny(staff.roles, 'findPatient');
  const whose = { recordId, patientId: account?.id ?? null, numbers };
  const ahead = appointments.filter(
    ({ start, state }) => start > now && (state === 'booked' || state === 'registered'),
  );
  const [nameOf, types, providers, family, messages, toRead, fees] = await Promise.all([
    namesOfStaff(db),
    knownTypes(db, locale),
    keptProviders(db),
    mayFind ? familyOf(db, whose, MOST_FAMILY) : [],
    account === null ? [] : latestMessages(platform, account.id, MOST_MESSAGES),
    consentsToRead(
      db,
      ahead.map(({ id }) => id),
    ),
    changedFees(db, person, now, locale),
  ]);
  const card = {
    contacts,
    notes: notes.map((note) => ({ ...note, by: nameOf(note.staffId) })),
    wishes: wishes.map((wish) => ({
      ...wish,
      description: types.find(({ code }) => code === wish.type)?.description ?? wish.type,
      provider: named(providers.find(({ id }) => id === wish.providerId)) ?? wish.providerId,
    })),
    doctors: providers.map((provider) => ({ id: provider.id, name: doctorName(provider) })),
    family: family.map(({ birthDate, ...member }) => ({
      ...member,
      age: ageOn(birthDate, today),
    })),
    messages,
    fees: appointments.flatMap(({ id, start, feeDue }) =>
      feeDue === null ? [] : [{ id, start, cents: feeDue }],
    ),
    overpaid: fees.filter(
      ({ paidBy, oldCents, newCents }) => paidBy !== null && newCents < oldCents,
    ),
    consents: ahead.filter(({ id }) => toRead.has(id)).map(({ id, start }) => ({ id, start })),
  };
  return { card, shown: family.map((member) => member.recordId) };
}
