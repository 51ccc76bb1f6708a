import { STAFF_ROLES } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { done, envelope, epochSeconds, id, previewVersion, text, uuid } from '../shapes.ts';

/** Tables that a clinic is set up by, in the order in which a new one needs them. */
const CLINIC_TABLES = [
  'types',
  'fees',
  'codes',
  'providers',
  'paces',
  'schedule',
  'pharmacies',
] as const;
export type ApiClinicTable = (typeof CLINIC_TABLES)[number];

const colleague = z.object({
  id,
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  providerId: z.string().nullable(),
  standing: z.enum(['open', 'invited', 'closed']),
  /** Whoever asks: another manager looks after this one. */
  isOwn: z.boolean(),
});

const setUp = z.object({
  contacts: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    address: z.string(),
  }),
  /** Announced maintenance; null where patients can come in. */
  maintenance: z.object({ since: epochSeconds, message: z.string().nullable() }).nullable(),
  tables: z.array(
    z.object({
      what: z.enum(CLINIC_TABLES),
      /** The columns of its file; one in brackets may be left out. */
      columns: z.array(z.string()),
      isInEmr: z.boolean(),
    }),
  ),
  providers: z.array(z.object({ id, name: z.string() })),
  /** The rows of these two tables, in the order of their columns. */
  types: z.array(z.array(z.string())),
  fees: z.array(z.array(z.string())),
});

/** What an import would do, or did: rows that it puts in, and rows of the clinic that these replace. */
const importPreview = z.object({
  columns: z.array(z.string()),
  rows: z.int().min(0),
  /** At most so many as a person reads; `changed` counts all. */
  changes: z.array(z.object({ is: z.enum(['new', 'old']), fields: z.array(z.string()) })),
  changed: z.int().min(0),
  /** What is wrong, with its line in the file; nothing is imported then. */
  problems: z.array(z.object({ line: z.int(), column: z.string(), why: z.string() })),
  /** Names what was looked at; to import it, this is sent back. */
  version: z.string(),
  isImported: z.boolean(),
});

export type ApiColleague = z.infer<typeof colleague>;
export type ApiSetUp = z.infer<typeof setUp>;
export type ApiImportPreview = z.infer<typeof importPreview>;

const nothing = z.strictObject({});
const table = z.object({ what: z.enum(CLINIC_TABLES) });
const someone = z.object({ id: uuid });
/** A file of 5 MB in base64, and what stands around it. */
const FILE_BYTES = 7 * 1024 * 1024;

/** Colleagues, maintenance and the clinic's tables. */
export const deskSetUpCalls = {
  deskSetUp: call('deskSetUp', {
    summary: 'The contacts of the clinic, its maintenance, and the tables that it is set up by.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope(setUp.shape),
  }),
  deskStaffList: call('deskStaffList', {
    summary: 'Who may come in to the front desk.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ staff: z.array(colleague) }),
  }),
  deskResetFactor: call('deskResetFactor', {
    summary:
      'Void a colleague’s password, second factor and recovery codes, end their sessions, and mail a new invitation.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params: someone,
    body: nothing,
    answer: done,
    refusals: [409],
  }),
  deskCloseStaff: call('deskCloseStaff', {
    summary: 'Close a colleague’s account and end its sessions, for good.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: someone,
    body: nothing,
    answer: done,
    refusals: [409],
  }),
  deskMaintenance: call('deskMaintenance', {
    summary: 'Announce maintenance, which signs every patient out, or end it.',
    section: 'S-18, R-70 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({ isOffline: z.boolean(), message: text(300).optional() }),
    answer: done,
  }),
  deskExportTable: call('deskExportTable', {
    summary: 'A table of the clinic as the CSV file that an import reads; on the trail.',
    section: 'S-18, S-17 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: table,
    body: nothing,
    answer: envelope({ name: z.string(), csv: z.string() }),
  }),
  deskImportTable: call('deskImportTable', {
    summary:
      'Say what a CSV file would change, or what is wrong with it; with the version of that, import all of its rows.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: table,
    bodyLimit: FILE_BYTES,
    body: z.strictObject({
      file: z.base64().max(FILE_BYTES),
      /** Left out, nothing is changed. */
      version: previewVersion.optional(),
    }),
    answer: envelope(importPreview.shape),
    refusals: [409],
  }),
};
