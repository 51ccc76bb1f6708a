import type { StaffRole } from '@clinic/domain';
import { columnsOf } from '../../database/column-types.ts';
import { type Db, type Tx, firstOf, hasRows, part, sql } from '../../database/db.ts';
import { spellingsOf } from '../../server/email-spellings.ts';
import { deletePasskeys } from './passkeys.store.ts';
import { staff, type staffInvitation } from './schema.ts';

/** A member of staff, who cannot sign in until they have a password and a second factor. */
export type StaffMember = Readonly<Omit<typeof staff.$inferSelect, 'roles'>> & {
  readonly roles: readonly StaffRole[];
};

const MEMBERS = part`select ${columnsOf(staff, 's')} from staff s`;

/** Who has this address in any of its spellings; first as it was typed. */
export function staffByEmail(db: Db, email: string) {
  const spellings = spellingsOf(email);
  return firstOf(sql<StaffMember>(db, 'staff-by-email')`
    ${MEMBERS}
     where s.email = any(${spellings}::text[])
     order by array_position(${spellings}::text[], s.email)
     limit 1`);
}

export const staffById = (db: Db, id: string) =>
  firstOf(sql<StaffMember>(db, 'staff-by-id')`
    ${MEMBERS} where s.id = ${id}::uuid`);

/** Locks and reads staff rows, always in the order of their ids, so that callers never deadlock. */
export const lockStaff = (tx: Tx, ids: readonly string[]): Promise<StaffMember[]> =>
  sql<StaffMember>(tx, 'staff-lock')`
    ${MEMBERS} where s.id = any(${ids}::uuid[]) order by s.id for update`;

/** A member of staff without password and second factor. */
export type Colleague = Pick<
  StaffMember,
  'id' | 'email' | 'name' | 'roles' | 'providerId' | 'closedAt'
> & { readonly hasPassword: boolean };

/** Everybody who is, or was, a member of staff. */
export const listColleagues = (db: Db): Promise<Colleague[]> =>
  sql<Colleague>(db, 'staff-colleagues')`
    select s.id, s.email, s.name, s.roles, s.provider_id as "providerId", s.closed_at_s as "closedAt",
           s.password_hash is not null as "hasPassword"
      from staff s order by s.name, s.email`;

/** Names staff by their id, or as the audit trail names them; null for anyone else. */
export type NameOfStaff = (who: string | null) => string | null;

export function namesIn(staff: readonly Colleague[]): NameOfStaff {
  const names = new Map(staff.map(({ id, name }) => [id, name]));
  return (who) => names.get((who ?? '').replace(/^staff:/, '')) ?? null;
}

/** The names of all staff, including staff who have left. */
export const namesOfStaff = async (db: Db): Promise<NameOfStaff> =>
  namesIn(await listColleagues(db));

type NewStaffMember = Omit<Colleague, 'closedAt' | 'hasPassword'> & { readonly now: number };

/** False when another member of staff has the email address. */
export const insertStaff = (tx: Tx, { now, ...row }: NewStaffMember) =>
  hasRows(sql(tx, 'staff-insert')`
    insert into staff (id, email, name, roles, provider_id, created_at_s)
    values (${row.id}::uuid, ${row.email}, ${row.name}, ${row.roles}::text[], ${row.providerId}::text, ${now})
        on conflict (email) do nothing
    returning id`);

export const closeStaff = (tx: Tx, id: string, now: number) =>
  sql(tx, 'staff-close')`update staff set closed_at_s = ${now} where id = ${id}::uuid`;

/** Voids password, second factor, passkeys and recovery codes; an invitation sets the account up anew. */
export async function forgetFactors(tx: Tx, id: string): Promise<void> {
  await sql(tx, 'staff-forget-codes')`delete from staff_recovery_code where staff_id = ${id}::uuid`;
  await deletePasskeys(tx, id);
  await sql(tx, 'staff-forget-factor')`
    update staff set password_hash = null, totp_sealed = null where id = ${id}::uuid`;
}

type NewFactors = Pick<StaffMember, 'id' | 'passwordHash' | 'totpSealed' | 'totpStep'> & {
  readonly recoveryHashes: readonly Uint8Array[];
};

export async function setFactors(tx: Tx, factors: NewFactors): Promise<void> {
  const { id, passwordHash, totpSealed, totpStep, recoveryHashes } = factors;
  await sql(tx, 'staff-set-factor')`
    update staff set password_hash = ${passwordHash}, totp_sealed = ${totpSealed}, totp_step = ${totpStep}
     where id = ${id}::uuid`;
  await sql(tx, 'staff-set-codes')`
    insert into staff_recovery_code (staff_id, code_hash)
    select ${id}::uuid, unnest(${recoveryHashes}::bytea[])`;
}

export const setPassword = (tx: Tx, id: string, passwordHash: string) =>
  sql(tx, 'staff-set-password')`
    update staff set password_hash = ${passwordHash} where id = ${id}::uuid`;

export const setLanguage = (db: Db, id: string, language: string) =>
  sql(db, 'staff-set-language')`
    update staff set language = ${language} where id = ${id}::uuid`;

/**
 * Uses a one-time code up. False when this code or a later one was used before, or when the account was
 * closed or reset since the code was checked against its secret.
 */
export const takeTotpStep = (
  tx: Tx,
  { id, totpSealed }: Pick<StaffMember, 'id' | 'totpSealed'>,
  step: number,
) =>
  hasRows(sql(tx, 'staff-take-step')`
    update staff set totp_step = ${step}
     where id = ${id}::uuid and totp_step < ${step} and totp_sealed = ${totpSealed}::bytea
       and closed_at_s is null
    returning id`);

/** Uses up a recovery code, found by its hashes under each key; false when unknown or used before. */
export const takeRecoveryCode = (tx: Tx, id: string, hashes: readonly Uint8Array[], now: number) =>
  hasRows(sql(tx, 'staff-take-recovery-code')`
    update staff_recovery_code set used_at_s = ${now}
     where staff_id = ${id}::uuid and code_hash = any(${hashes}::bytea[]) and used_at_s is null
    returning staff_id`);

type NewInvitation = Omit<typeof staffInvitation.$inferSelect, 'usedAt'>;

/** Adds an invitation and ends the person's older ones. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { id, staffId, tokenHash, createdAt: now, expiresAt } = invitation;
  await endInvitations(tx, staffId, now);
  await sql(tx, 'staff-invite')`
    insert into staff_invitation (id, staff_id, token_hash, created_at_s, expires_at_s)
    values (${id}::uuid, ${staffId}::uuid, ${tokenHash}, ${now}, ${expiresAt})`;
}

/** Whether an invitation was made after an instant. */
export const hasInvitationSince = (db: Db, staffId: string, since: number) =>
  hasRows(sql(db, 'staff-invited-since')`
    select 1 from staff_invitation where staff_id = ${staffId}::uuid and created_at_s > ${since} limit 1`);

export const endInvitations = (tx: Tx, staffId: string, now: number) =>
  sql(tx, 'staff-end-invitations')`
    update staff_invitation set expires_at_s = ${now}
     where staff_id = ${staffId}::uuid and expires_at_s > ${now}`;

type Invitation = Record<'invitationId' | 'staffId' | 'name' | 'email', string>;

/** Finds the invitation of a token; null when it is unknown, used or expired. */
export const openInvitation = (db: Db, hashes: readonly Uint8Array[], now: number) =>
  firstOf(sql<Invitation>(db, 'staff-open-invitation')`
    select i.id as "invitationId", s.id as "staffId", s.name, s.email
      from staff_invitation i join staff s on s.id = i.staff_id and s.closed_at_s is null
     where i.token_hash = any(${hashes}::bytea[]) and i.used_at_s is null and i.expires_at_s > ${now}`);

/** The recipient and expiry of an invitation, expired or not; null when unknown or used. */
export function invitationById(db: Db, id: string) {
  type Row = Pick<StaffMember, 'email' | 'name'> & Pick<NewInvitation, 'tokenHash' | 'expiresAt'>;
  return firstOf(sql<Row>(db, 'staff-invitation-by-id')`
    select s.email, s.name, i.token_hash as "tokenHash", i.expires_at_s as "expiresAt"
      from staff_invitation i join staff s on s.id = i.staff_id
     where i.id = ${id}::uuid and i.used_at_s is null`);
}

/** Uses an invitation up: of two concurrent calls only one returns true. */
export const takeInvitation = (tx: Tx, id: string, now: number) =>
  hasRows(sql(tx, 'staff-take-invitation')`
    update staff_invitation set used_at_s = ${now}
     where id = ${id}::uuid and used_at_s is null and expires_at_s > ${now} returning id`);
