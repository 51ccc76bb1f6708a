import { part } from '../../database/db.ts';

/** A sealed column; a value of it is bound to `<context>:<id of its row>`. */
export interface SealedColumn {
  readonly table: string;
  readonly name: string;
  readonly context: string;
  /** The primary key of the table; `id` by default. */
  readonly key?: string;
  /** The type of the primary key; `uuid` by default. */
  readonly type?: string;
  /** The blind index beside a health card. */
  readonly index?: string;
  /** Rows of a batch, for large values; 200 by default. */
  readonly batch?: number;
}

const CARD = { name: 'card_sealed', index: 'card_index' };

/**
 * Every column under the keyring; a test compares the list with the schema. A stored file's content is
 * sealed under its own key, and only that key is sealed again.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'patient', ...CARD, context: 'patient.card' },
  { table: 'pending_sign_up', ...CARD, context: 'patient.card' },
  { table: 'patient_record', ...CARD, context: 'chart.card', type: 'text' },
  { table: 'appointment', name: 'answers_sealed', context: 'claim.answers' },
  { table: 'message_entry', name: 'text_sealed', context: 'message_entry.text' },
  { table: 'message_version', name: 'text_sealed', context: 'message_version.text' },
  { table: 'message_note', name: 'text_sealed', context: 'message_note.text' },
  { table: 'record_note', name: 'text_sealed', context: 'record_note.text' },
  { table: 'stored_file', name: 'name_sealed', context: 'file.name' },
  { table: 'stored_file', name: 'key_sealed', context: 'file.key' },
  { table: 'stored_file', name: 'reason_sealed', context: 'file.reason' },
  { table: 'problem_report', name: 'message_sealed', context: 'problem_report.message' },
  {
    table: 'problem_report',
    name: 'screenshot_sealed',
    context: 'problem_report.screenshot',
    batch: 10,
  },
  {
    table: 'medical_profile',
    name: 'profile_sealed',
    context: 'medical_profile.profile',
    key: 'patient_id',
  },
  {
    table: 'emr_connection',
    name: 'credentials_sealed',
    context: 'emr_connection.credentials',
    type: 'text',
  },
  { table: 'staff', name: 'totp_sealed', context: 'staff.totp' },
];

/** The SQL names of a column: table, column, primary key and its type. */
export const wordsOf = ({ table, name, key = 'id', type = 'uuid' }: SealedColumn) =>
  [table, name, key, type].map((word) => part([word]));
