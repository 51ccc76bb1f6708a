import {
  APPOINTMENT_FORMS,
  APPOINTMENT_MODES,
  INSTRUCTIONS,
  RELEASES,
  TYPE_HUES,
  TYPE_SHAPES,
  whyFeesRefused,
} from '@clinic/domain';
import type { ClinicDate, PolicyProblem } from '@clinic/domain';

import type { Db, Tx } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import {
  emrNames,
  isEmrConnected,
  keptProviders,
  keptSlotCodes,
  knownProviders,
  saveProviders,
  saveSlotCodes,
} from '../records/index.ts';
import { appointmentType, feePolicy, providerPolicy, providerType } from './schema.ts';
import { codesOfInsured, knownTypes } from './types.store.ts';
import { type Fee, standingFees } from './fees.store.ts';
import {
  type Importing,
  type RowOf,
  type TableRow,
  doubled,
  noProvider,
} from '../../server/csv-import.ts';
import {
  character,
  clockTime,
  date,
  dollars,
  eligibility,
  emptyIs,
  filledWords,
  identifier,
  inDollars,
  keptOneOf,
  keptWords,
  minutes,
  oneOf,
  providerStatus,
  rowOf,
  typeCode,
  typeList,
  words,
  yesOrNo,
  yesUnlessNo,
} from '../../server/table-columns.ts';
import type { TableProblem } from '../../server/table-text.ts';

const typeColumns = {
  code: typeCode,
  description: filledWords(60),
  descriptionFr: words(60).prefault(''),
  minutes,
  mode: oneOf(APPOINTMENT_MODES),
  form: oneOf(APPOINTMENT_FORMS),
  instruction: emptyIs(null, oneOf(INSTRUCTIONS)),
  emrName: keptWords(50),
  hue: keptOneOf(TYPE_HUES),
  shape: keptOneOf(TYPE_SHAPES),
  startEvery: emptyIs(null, minutes),
  enforceMrp: yesOrNo,
  enforceNoPcp: yesOrNo,
  requiresDocuments: yesOrNo,
  insured: yesUnlessNo,
  isPrivate: yesOrNo,
  byNursePractitioners: yesOrNo,
  resetsDoctor: yesOrNo,
  active: yesUnlessNo,
};

/** insured whatever a file says. */
const ALWAYS_INSURED = ['O', 'P', 'I'];

/** Appointment types, in the order in which patients see them. */
export const typesFile: Importing<RowOf<typeof typeColumns>> = {
  what: 'types',
  columns: typeColumns,
  key: ['code'],
  async check(tx, rows, today) {
    const charged = (await standingFees(tx, today)).filter(
      ({ eligibility: of, charge }) => of === 'E' && charge > 0,
    );
    return [
      ...doubled(rows, 'code'),
      ...(await unknownInEmr(tx, rows)),
      ...rows.flatMap(({ row: { code, insured }, line }) => {
        if (!insured && ALWAYS_INSURED.includes(code))
          return [
            { line, column: 'insured', why: `${code} is insured, whatever it costs (R-102)` },
          ];
        if (!insured || !charged.some(({ type }) => type === code)) return [];
        return [{ line, column: 'insured', why: `${code} ${sentences.chargeForbidden}` }];
      }),
    ];
  },
  async write(tx, rows) {
    const { code, position, emrName, hue, shape } = appointmentType;
    const kept = await tx.select({ code, position, emrName, hue, shape }).from(appointmentType);
    const stood = new Map(kept.map((each) => [each.code, each]));
    const places = new Map(kept.map((each) => [each.code, each.position]));
    // A file that has all types sets their order; any other leaves it, and new types come last.
    const isWhole = kept.every((each) => rows.some((row) => row.code === each.code));
    const next = Math.max(-1, ...places.values()) + 1;
    await putRows(
      tx,
      appointmentType,
      rows.map(({ descriptionFr: fr, ...row }, at) => ({
        ...row,
        ...keptUnlessSaid(row, stood.get(row.code)),
        translations: fr === '' ? null : { of: row.description, fr },
        position: isWhole ? at : (places.get(row.code) ?? next + at),
      })),
    );
  },
  async kept(db) {
    const { position, code } = appointmentType;
    const rows = await db.select().from(appointmentType).orderBy(position, code);
    return rows.map(({ translations, ...row }) => {
      const holds = translations?.['of'] === row.description;
      return { ...row, descriptionFr: (holds && translations['fr']) || '' };
    });
  },
};

/** What a file without these columns leaves as it stood. */
function keptUnlessSaid(
  row: Pick<RowOf<typeof typeColumns>, 'emrName' | 'hue' | 'shape'>,
  stood: Pick<typeof appointmentType.$inferSelect, 'emrName' | 'hue' | 'shape'> | undefined,
) {
  const { emrName = stood?.emrName, hue = stood?.hue, shape = stood?.shape } = row;
  return { emrName: emrName ?? null, hue: hue ?? null, shape: shape ?? null };
}

/** Names that the EMR does not have. What stands here may have been renamed there since: it may stay. */
async function unknownInEmr(tx: Tx, rows: readonly TableRow<RowOf<typeof typeColumns>>[]) {
  const names = (await emrNames(tx, 'type')).map(({ name }) => name);
  if (names.length === 0) return [];
  const kept = new Map((await knownTypes(tx)).map(({ code, emrName }) => [code, emrName]));
  return rows.flatMap(({ row: { code, emrName }, line }) =>
    !emrName || names.includes(emrName) || kept.get(code) === emrName
      ? []
      : {
          line,
          column: 'emrName',
          why: `the EMR has no type '${emrName}'; it has ${names.join(', ')}`,
        },
  );
}

const feeColumns = {
  type: rowOf('types', typeCode),
  eligibility,
  validFrom: date,
  charge: dollars,
  notice: words(1_000).prefault(''),
};
type FeeRow = RowOf<typeof feeColumns>;
const FEE_KEY = ['type', 'eligibility', 'validFrom'] as const;

const sentences: Readonly<Record<PolicyProblem['code'], string>> = {
  chargeForbidden: 'charges a covered patient, which the Medicare Protection Act forbids (R-32)',
  chargeInvalid: 'is no whole number of cents',
  rowMissing: 'has no row; a type that has fees needs one for each eligibility',
  rowTwice: 'has two rows',
};

/** What each type costs each eligibility from a date on; the fees must be complete and lawful as a whole. */
export const feesFile: Importing<FeeRow> = {
  what: 'fees',
  columns: feeColumns,
  key: FEE_KEY,
  async check(tx, rows, today) {
    const twice = doubled(rows, 'type', FEE_KEY);
    if (twice.length > 0) return twice;
    const types = await knownTypes(tx);
    const unknown = rows.filter(({ row }) => !types.some(({ code }) => code === row.type));
    if (unknown.length > 0)
      return unknown.map(({ row, line }) => ({ line, column: 'type', why: noType(row.type) }));
    const standing = await standingFees(tx, today);
    return policyProblems(standing, rows, { insured: codesOfInsured(types), today });
  },
  write: (tx, rows) =>
    putRows(
      tx,
      feePolicy,
      rows.map(({ charge, ...row }) => ({
        ...row,
        chargeCents: charge,
        notice: row.notice || null,
      })),
    ),
  async kept(db) {
    const { type, eligibility: of, validFrom } = feePolicy;
    const rows = await db.select().from(feePolicy).orderBy(type, of, validFrom);
    return rows.map((row) => ({ ...row, charge: inDollars(row.chargeCents) }));
  },
};

/** What makes the fees incomplete or unlawful on any day, from today on, when a row of the file begins. */
function policyProblems(
  standing: readonly Fee[],
  rows: readonly TableRow<FeeRow>[],
  { insured, today }: { readonly insured: readonly string[]; readonly today: ClinicDate },
): TableProblem[] {
  const keyOf = (fee: Fee) => `${fee.type} ${fee.eligibility} ${fee.validFrom}`;
  const lines = new Map(rows.map(({ row, line }) => [keyOf(row), line]));
  const all = [
    ...standing.filter((fee) => !lines.has(keyOf(fee))),
    ...rows.map(({ row }) => row),
  ].sort((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
  const found = new Map<string, TableProblem>();
  const begins = rows.map(({ row: { validFrom } }) => (validFrom < today ? today : validFrom));
  for (const day of new Set(begins)) {
    const newest = new Map<string, Fee>();
    for (const fee of all)
      if (fee.validFrom <= day) newest.set(`${fee.type} ${fee.eligibility}`, fee);
    const fees = [...newest.values()].map((fee) => ({ ...fee, chargeCents: fee.charge }));
    for (const { code, type, eligibility: of } of whyFeesRefused(fees, insured)) {
      const fee = newest.get(`${type} ${of}`);
      const line = (fee && lines.get(keyOf(fee))) ?? rows.at(-1)?.line ?? 1;
      const column = code === 'rowMissing' ? 'type' : 'charge';
      const why = `${type} for ${of} from ${fee?.validFrom ?? day} ${sentences[code]}`;
      found.set(`${type} ${of} ${code}`, { line, column, why });
    }
  }
  return [...found.values()];
}

const providerColumns = {
  id: identifier,
  firstName: filledWords(60),
  lastName: filledWords(60),
  status: providerStatus,
  disabled: yesOrNo,
  comment: words(200).prefault(''),
  hidden: yesOrNo,
  familyOnly: yesOrNo,
  noPcp: yesOrNo,
  location: keptWords(30),
};

/** What the clinic says of each provider whom it says something of. */
export const keptPolicies = (db: Db) => db.select().from(providerPolicy);

/** Doctors and nurse practitioners, with what the clinic decides about each. */
export const providersFile: Importing<RowOf<typeof providerColumns>> = {
  what: 'providers',
  columns: providerColumns,
  key: ['id'],
  check: (_tx, rows) => doubled(rows, 'id'),
  async write(tx, rows) {
    // Each table takes the fields of a row that it has columns for.
    await saveProviders(tx, rows);
    const kept = await keptPolicies(tx);
    const locations = new Map(kept.map((each) => [each.providerId, each.location]));
    await putRows(
      tx,
      providerPolicy,
      rows.map(({ id, location = locations.get(id) ?? null, ...policy }) => ({
        providerId: id,
        location,
        ...policy,
      })),
    );
  },
  async kept(db) {
    const policies = await keptPolicies(db);
    const byId = new Map(policies.map(({ providerId, ...policy }) => [providerId, policy]));
    const unsaid = {
      disabled: false,
      comment: '',
      hidden: false,
      familyOnly: false,
      noPcp: false,
      location: null,
    };
    const providers = await keptProviders(db);
    return providers.map((provider) => ({ ...provider, ...(byId.get(provider.id) ?? unsaid) }));
  },
};

const codeColumns = {
  code: character,
  description: filledWords(60),
  types: typeList,
  minutes: emptyIs(null, minutes),
  release: emptyIs('always' as const, oneOf(RELEASES)),
  releaseAt: emptyIs('00:00', clockTime),
};

/** What the characters of working weeks stand for. */
export const codesFile: Importing<RowOf<typeof codeColumns>> = {
  what: 'codes',
  columns: codeColumns,
  key: ['code'],
  async check(tx, rows) {
    const [types, codes] = [await knownTypes(tx), await keptSlotCodes(tx)];
    const wrong = rows.flatMap(({ row, line }) =>
      (isUnsaid(row.types) ? [] : row.types)
        .filter((each) => !types.some(({ code }) => code === each))
        // A code may keep types that it names already: a clinic begins with codes for types it may not have.
        .filter(
          (each) => !codes.some(({ code, types: of }) => code === row.code && of.includes(each)),
        )
        .map((each) => ({ line, column: 'types', why: noType(each) })),
    );
    return [...doubled(rows, 'code'), ...wrong];
  },
  async write(tx, rows) {
    // What was said before an EMR was connected was said of other codes.
    const isOfEmr = await isEmrConnected(tx);
    const said = rows.map((row) =>
      isUnsaid(row.types) ? { ...row, types: [], bound: false } : { ...row, bound: isOfEmr },
    );
    await saveSlotCodes(tx, said);
  },
  async kept(db) {
    const isOfEmr = await isEmrConnected(db);
    return (await keptSlotCodes(db)).map((row) =>
      isOfEmr && !row.bound && row.types.length === 0 ? { ...row, types: [UNSAID] } : row,
    );
  },
};

/** In place of the types of a code of the EMR: nobody has said what it serves. */
const UNSAID = '?';
const isUnsaid = ([first, another]: readonly string[]) => first === UNSAID && another === undefined;

const paceColumns = {
  provider: rowOf('providers', identifier),
  type: rowOf('types', typeCode),
  offers: yesUnlessNo,
  minutes: emptyIs(null, minutes),
};
const PACE_KEY = ['provider', 'type'] as const;

/** How long a provider takes for a type, or that they do not offer it. */
export const pacesFile: Importing<RowOf<typeof paceColumns>> = {
  what: 'paces',
  columns: paceColumns,
  key: PACE_KEY,
  async check(tx, rows) {
    const [types, providers] = [await knownTypes(tx), await knownProviders(tx)];
    const wrong = rows.flatMap(({ row: { provider, type }, line }) => [
      ...(providers.includes(provider)
        ? []
        : [{ line, column: 'provider', why: noProvider(provider, providers) }]),
      ...(types.some(({ code }) => code === type)
        ? []
        : [{ line, column: 'type', why: noType(type) }]),
    ]);
    return [...doubled(rows, 'type', PACE_KEY), ...wrong];
  },
  write: (tx, rows) =>
    putRows(
      tx,
      providerType,
      rows.map(({ provider, ...pace }) => ({ providerId: provider, ...pace })),
    ),
  async kept(db) {
    const { providerId, type } = providerType;
    const rows = await db.select().from(providerType).orderBy(providerId, type);
    return rows.map((row) => ({ ...row, provider: row.providerId }));
  },
};

const noType = (code: string) => `no appointment type has the code '${code}'`;
