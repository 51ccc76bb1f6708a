import { type Tx, part, sql } from '../database/db.ts';
import type { Keyring } from './keyring.ts';

/** Who does something at the clinic's own request, and when; `now` in epoch seconds. */
export interface Who {
  readonly actor: string;
  readonly now: number;
}

/** S-14. Details name things by id; no name, number, reason or diagnosis stands in the trail. */
export interface AuditEntry {
  /** `patient:<id>`, `clinic:<user of the system>`, `system:<job>` or `visitor`. */
  readonly actor: string;
  /** What was done, as the clinic would say it: 'signed in', 'appointment booked'. */
  readonly action: string;
  /** `<thing>:<id>`. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Writes a row in the transaction of what it records. */
export type AppendAudit = (tx: Tx, entry: AuditEntry) => Promise<void>;

export function createAudit(keyring: Keyring): AppendAudit {
  return async (tx, entry) => {
    const { actor, action, subject, details = {}, at } = entry;
    const mac = keyring.mac('audit', auditText({ actor, action, subject, details, at }));
    await sql(tx, 'audit-append')`
      insert into audit (at_s, actor, action, subject, details, mac)
      values (${at}, ${actor}, ${action}, ${subject}, ${JSON.stringify(details)}::text::jsonb, ${mac})`;
  };
}

/** What the MAC is taken of: the same text however the database orders the keys of `details`. */
export function auditText(entry: Required<AuditEntry>): string {
  const { at, actor, action, subject, details } = entry;
  return canonical([at, actor, action, subject, details]);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const pairs = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${pairs.join(',')}}`;
}

/** Appointments that were cancelled, and whether by the clinic, for another's statement to join. */
export const CANCELLATIONS = part`(
  select split_part(subject, ':', 2) as id, bool_or(actor like 'clinic:%') as by_clinic
    from audit where action = 'appointment cancelled' group by 1)`;
