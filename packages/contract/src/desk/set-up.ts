import { AGREEMENT_KINDS, STAFF_ROLES } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { formHeaders, formVersion } from '../older-forms.ts';
import {
  done,
  envelope,
  epochSeconds,
  id,
  line,
  previewVersion,
  seenVersion,
  text,
  uuid,
} from '../shapes.ts';

/** The tables that set up a clinic, in the order in which a new clinic needs them. */
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
  /** True for the account of the reader, which only another manager may change. */
  isOwn: z.boolean(),
});

const setUp = z.object({
  contacts: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    address: z.string(),
  }),
  /** Announced maintenance; null when there is none and patients can sign in. */
  maintenance: z.object({ since: epochSeconds, message: z.string().nullable() }).nullable(),
  /** Of the maintenance. */
  formVersion: formVersion.optional(),
  tables: z.array(
    z.object({
      what: z.enum(CLINIC_TABLES),
      /** The columns of the table's file; one in brackets is optional. */
      columns: z.array(z.string()),
      isInEmr: z.boolean(),
    }),
  ),
  providers: z.array(z.object({ id, name: z.string() })),
  /** The rows of these tables, in the order of their columns. */
  types: z.array(z.array(z.string())),
  fees: z.array(z.array(z.string())),
  /** Of the table of providers; left out by a version that has no form for them. */
  doctors: z.array(z.array(z.string())).optional(),
  /** Of the table of slot codes, and the minutes in the next seven days that carry each. Left out as `doctors` is. */
  slotCodes: z.array(z.array(z.string())).optional(),
  weekly: z.array(z.object({ code: z.string(), minutes: z.int() })).optional(),
  /** What the EMR calls its types; none where it takes any name. Left out as `doctors` is. */
  emrTypes: z.array(z.string()).optional(),
  /** Where the EMR has its entries, the most of each provider first; none where it has no sites. */
  emrSites: z.array(z.object({ providerId: id, name: z.string() })).optional(),
});

const COLUMN_KINDS = ['text', 'number', 'date', 'time', 'dollars', 'choice', 'choices'] as const;
export type ApiColumnKind = (typeof COLUMN_KINDS)[number];

/** A table for a form that adds or changes a row of it. */
const tableForm = z.object({
  columns: z.array(
    z.object({
      name: z.string(),
      /** `choices` is a list of them, with spaces between. */
      kind: z.enum(COLUMN_KINDS),
      /** By these a row is known: one with the same replaces it. */
      isKey: z.boolean(),
      isNeeded: z.boolean(),
      /** What it means that nothing is filled in. */
      otherwise: z.string(),
      /** The most characters. */
      most: z.int().optional(),
      choices: z.array(z.object({ value: z.string(), name: z.string() })),
    }),
  ),
  /** An import replaces all rows that share these columns with one of its own. */
  whole: z.array(z.string()),
  /** In the order of the columns. */
  rows: z.array(z.object({ name: z.string(), fields: z.array(z.string()) })),
});

/** What an import would do, or did: the rows that it adds, and the rows that these replace. */
const importPreview = z.object({
  columns: z.array(z.string()),
  rows: z.int().min(0),
  /** Only as many as a person would read; `changed` counts all. */
  changes: z.array(z.object({ is: z.enum(['new', 'old']), fields: z.array(z.string()) })),
  changed: z.int().min(0),
  /** What is wrong, with the line in the file; nothing is imported then. */
  problems: z.array(z.object({ line: z.int(), column: z.string(), why: z.string() })),
  /** Identifies this preview; send it back to import the file. */
  version: z.string(),
  isImported: z.boolean(),
});

const language = z.object({ id: z.string(), name: z.string(), dir: z.enum(['ltr', 'rtl']) });

/** one version of a text that patients agree to. */
const textVersion = z.object({
  version: z.string(),
  /** True for the product's own text, which the clinic's counsel has not approved. */
  isDraft: z.boolean(),
  /** When the clinic published it, and who did; null for the product's own text. */
  since: epochSeconds.nullable(),
  by: z.string().nullable(),
});

const wordsIn = z.object({
  locale: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
});
const agreementKind = z.enum(AGREEMENT_KINDS);

const clinicText = z.object({
  kind: agreementKind,
  languages: z.array(language),
  /** The placeholders that are filled in, such as `fee`, and whether the text must contain them. */
  placeholders: z.array(z.object({ name: z.string(), isNeeded: z.boolean() })),
  /** The newest first; the first is the one that patients read. */
  versions: z.array(textVersion.extend({ texts: z.array(wordsIn) })),
});

const textPreview = z.object({
  isPublished: z.boolean(),
  /** The current version. */
  version: z.string(),
  /** As patients would read it in each language that the clinic offers, with example amounts. */
  shown: z.array(wordsIn.extend({ isTranslated: z.boolean() })),
});

export type ApiTextKind = z.infer<typeof agreementKind>;
export type ApiClinicText = z.infer<typeof clinicText>;
export type ApiTextPreview = z.infer<typeof textPreview>;
export type ApiColleague = z.infer<typeof colleague>;
export type ApiSetUp = z.infer<typeof setUp>;
export type ApiTable = z.infer<typeof tableForm>;
export type ApiImportPreview = z.infer<typeof importPreview>;

const nothing = z.strictObject({});
const table = z.object({ what: z.enum(CLINIC_TABLES) });
const someone = z.object({ id: uuid });
const kindOfText = z.object({ kind: agreementKind });
/** A clinic offers some ten languages at most. */
const MOST_LANGUAGES = 20;
/** A text in each language, and the JSON around it. */
const TEXTS_BYTES = 1024 * 1024;
/** A file of 5 MB in base64, and the JSON around it. */
const FILE_BYTES = 7 * 1024 * 1024;

/** Calls about colleagues, maintenance, texts and the clinic's tables. */
export const deskSetUpCalls = {
  deskSetUp: call('deskSetUp', {
    summary: 'The contacts of the clinic, its maintenance, and the tables that it is set up by.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope(setUp.shape),
  }),
  deskStaffList: call('deskStaffList', {
    summary: 'Who may come in to the front desk.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ staff: z.array(colleague) }),
  }),
  deskResetFactor: call('deskResetFactor', {
    summary:
      'Void a colleague’s password, second factor and recovery codes, end their sessions, and mail a new invitation.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
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
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: someone,
    body: nothing,
    answer: done,
    refusals: [409],
  }),
  deskTexts: call('deskTexts', {
    summary:
      'The texts that patients agree to: which version of each holds, since when, and by whom.',
    section: 'R-104, S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ texts: z.array(textVersion.extend({ kind: agreementKind })) }),
  }),
  deskText: call('deskText', {
    summary: 'A text that patients agree to, in each of its languages, with its older versions.',
    section: 'R-104, S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    params: kindOfText,
    answer: envelope(clinicText.shape),
  }),
  deskPublishText: call('deskPublishText', {
    summary:
      'Show what patients would read of a new version of a text, or publish it, for good; on the trail.',
    section: 'R-104, S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: kindOfText,
    bodyLimit: TEXTS_BYTES,
    body: z.strictObject({
      /** The version on which the new one is based. */
      seen: seenVersion,
      /** The English text, which is binding, and translations. */
      texts: z
        .array(z.strictObject({ locale: text(20), title: line(100), text: text(10_000) }))
        .max(MOST_LANGUAGES),
      /** When true, nothing is published. */
      isPreview: z.boolean(),
    }),
    answer: envelope(textPreview.shape),
    refusals: [409],
  }),
  deskMaintenance: call('deskMaintenance', {
    summary: 'Announce maintenance, which signs every patient out, or end it.',
    section: 'S-18, R-70 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    headers: formHeaders,
    body: z.strictObject({ isOffline: z.boolean(), message: text(300).optional() }),
    answer: done,
    refusals: [409],
  }),
  deskTable: call('deskTable', {
    summary: 'The rows of a table of the clinic, and what each of its columns takes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    params: table,
    answer: envelope(tableForm.shape),
  }),
  deskExportTable: call('deskExportTable', {
    summary: 'A table of the clinic as the CSV file that an import reads; on the trail.',
    section: 'S-18, S-17 (ours)',
    shows: 'noPatient',
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
    shows: 'noPatient',
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
