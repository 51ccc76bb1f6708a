/** A sealed column, the context that its values are bound to, and the blind index beside it. */
export interface SealedColumn {
  readonly name: string;
  /** `<context>:<id of the row>`. */
  readonly context: string;
  readonly index?: { readonly name: string; readonly context: string };
}

export interface SealedTable {
  readonly name: string;
  readonly key: { readonly name: string; readonly type: 'uuid' | 'text' };
  readonly columns: readonly SealedColumn[];
  /** Rows at a time: fewer where values are large. */
  readonly batch: number;
}

const id = { name: 'id', type: 'uuid' } as const;
/** A health card, sealed for an account or for a record, and found by one index. */
const card = (context: string): SealedColumn => ({
  name: 'card_sealed',
  context,
  index: { name: 'card_index', context: 'card' },
});

/**
 * Every column under the keyring (S-13); a test compares it with the schema. The content of a stored
 * file is under a key of its own, and that key is what is sealed again.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    name: 'patient',
    key: id,
    columns: [card('patient.card')],
    batch: 200,
  },
  {
    name: 'pending_sign_up',
    key: id,
    columns: [card('patient.card')],
    batch: 200,
  },
  {
    name: 'patient_record',
    key: { name: 'id', type: 'text' },
    columns: [card('chart.card')],
    batch: 200,
  },
  {
    name: 'appointment',
    key: id,
    columns: [{ name: 'answers_sealed', context: 'claim.answers' }],
    batch: 200,
  },
  {
    name: 'message_entry',
    key: id,
    columns: [{ name: 'text_sealed', context: 'message_entry.text' }],
    batch: 200,
  },
  {
    name: 'message_version',
    key: id,
    columns: [{ name: 'text_sealed', context: 'message_version.text' }],
    batch: 200,
  },
  {
    name: 'stored_file',
    key: id,
    columns: [
      { name: 'name_sealed', context: 'file.name' },
      { name: 'key_sealed', context: 'file.key' },
    ],
    batch: 200,
  },
  {
    name: 'problem_report',
    key: id,
    columns: [
      { name: 'message_sealed', context: 'problem_report.message' },
      { name: 'screenshot_sealed', context: 'problem_report.screenshot' },
    ],
    batch: 10,
  },
  {
    name: 'medical_profile',
    key: { name: 'patient_id', type: 'uuid' },
    columns: [{ name: 'profile_sealed', context: 'medical_profile.profile' }],
    batch: 200,
  },
];

/** Sealed under another key than the keyring's. */
export const SEALED_OTHERWISE: readonly string[] = ['stored_file.content_sealed'];
