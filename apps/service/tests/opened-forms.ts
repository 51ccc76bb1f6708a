import { type DeskCallId, olderForms } from '@clinic/contract';
import { aMedicalProfile } from '@clinic/domain/testing';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { storeFile } from '../src/modules/documents/index.ts';
import { type DeskOptions, aStaffMember, askDesk, deskSession } from '../testing/desk.ts';
import { type Answered, aPicture, ask } from '../testing/index.ts';
import type { TwoPatients } from './two-patients.ts';

export type Values = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string>>;

/** A form of the application, as two devices have it open. */
export interface Form {
  /** What the form is made of: its version, and what is stored. */
  readonly read: () => Promise<{ readonly version: string | undefined; readonly stored: Values }>;
  /** Saves the form with some changes, as it was made of `made`. */
  readonly save: (changes: Values, made: Values, headers: Headers) => Promise<Answered<never>>;
  /** Two values of each field. */
  readonly values: Readonly<Record<string, readonly [unknown, unknown]>>;
}

const saved = (answered: Promise<unknown>) => answered as Promise<Answered<never>>;

const PLACE = [
  'address',
  'city',
  'province',
  'postal',
  'phone',
  'mobile',
  'internationalPhone',
  'sex',
  'country',
];

/** The forms of the patients' app that a call of `olderForms` saves. */
export function patientsForms(clinic: TwoPatients) {
  const { token, message, row } = clinic.asker;
  const me = async () => {
    const { formVersion: version, ...user } = (await ask(clinic, 'getMe', { token })).answer();
    const stored = { ...user, mobile: user.mobilePhone };
    return { version, stored };
  };
  const updateMe: Form = {
    read: me,
    save: (changes, made, headers) => {
      const place = Object.fromEntries(PLACE.map((name) => [name, made[name]]));
      return saved(ask(clinic, 'updateMe', { token, headers, body: { ...place, ...changes } }));
    },
    values: {
      address: ['1 First Street', '2 Second Street'],
      city: ['Burnaby', 'Surrey'],
      province: ['AB', 'ON'],
      postal: ['V5K 0A1', 'V5K 0A2'],
      country: ['Canada', 'Chile'],
      sex: ['Male', 'Female'],
      phone: ['6045550111', '6045550112'],
      mobile: ['6045550113', '6045550114'],
      internationalPhone: ['442079460001', '442079460002'],
      familyDoc: [true, false],
      preferredPharmacy: ['pharmacy-main', null],
    },
  };
  const confirmInformation: Form = {
    read: me,
    save: ({ familyDoc }, _, headers) => {
      const body = { shouldUpdate: false, familyDoc, hasFamilyDoc: familyDoc };
      return saved(ask(clinic, 'confirmInformation', { token, headers, body }));
    },
    values: { familyDoc: [true, false] },
  };
  const addPreferredPharmacy: Form = {
    read: me,
    save: ({ preferredPharmacy: pharmacy }, _, headers) => {
      const body = { demographicNo: row.recordId, pharmacy };
      return saved(ask(clinic, 'addPreferredPharmacy', { token, headers, body }));
    },
    values: { preferredPharmacy: ['pharmacy-main', 'pharmacy-other'] },
  };
  const one = aMedicalProfile();
  const saveMedicalProfile: Form = {
    read: async () => {
      const { extras } = (await ask(clinic, 'readMedicalProfile', { token })).answer();
      return { version: extras.formVersion, stored: { ...(extras.profile ?? one) } };
    },
    save: (changes, made, headers) => {
      const body = { eMedProfile: { ...made, ...changes } };
      return saved(ask(clinic, 'saveMedicalProfile', { token, headers, body }));
    },
    values: {
      passportNumber: ['AB111111', 'AB222222'],
      firstName: ['Casey', 'Kasey'],
      lastName: ['Morgan', 'Morgane'],
      address: ['1 Way', '2 Way'],
      city: ['Burnaby', 'Surrey'],
      postal: ['V5K 0A1', 'V5K 0A2'],
      phone: ['6045550111', '6045550112'],
      gender: ['M', 'F'],
      dob: [
        { year: 1984, month: 5, day: 17 },
        { year: 1984, month: 5, day: 18 },
      ],
      countryOfBirth: ['GBR', 'CHL'],
      issuingCountry: ['GBR', 'CHL'],
      identityDocument: ['01', '02'],
      preferredLanguage: ['1201A', '1201B'],
      applicationDetails: ['WRK', 'STD'],
      hearAboutUs: ['A friend', 'The radio'],
      dateOfIssue: [
        { year: 2020, month: 3, day: 1 },
        { year: 2020, month: 3, day: 2 },
      ],
      dateOfExpiry: [
        { year: 2030, month: 3, day: 1 },
        { year: 2030, month: 3, day: 2 },
      ],
    },
  };
  const params = { id: message };
  const changeMessage: Form = {
    read: async () => {
      const { extras } = (await ask(clinic, 'readMessage', { token, params })).answer();
      const { formVersion: version, entries } = extras.message;
      return { version, stored: { message: entries.at(-1)?.message } };
    },
    save: (body, _, headers) =>
      saved(ask(clinic, 'changeMessage', { token, params, headers, body })),
    values: { message: ['Good evening', 'Good night'] },
  };
  return {
    updateMe,
    confirmInformation,
    addPreferredPharmacy,
    saveMedicalProfile,
    changeMessage,
  };
}

/** The forms of the front desk that a call of `olderForms` saves. */
export async function deskForms(clinic: TwoPatients) {
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  const desk = <Id extends DeskCallId>(id: Id, options: DeskOptions) =>
    askDesk(clinic, id, { ...options, cookie });

  const { row, message } = clinic.other;
  const patientId = row.id;
  const now = clinic.clock.now();
  const params = { id: row.id };
  const look = { lookReason: 'patientCalled' };
  const picture = { name: 'card.png', mediaType: 'image/png', bytes: aPicture().bytes };
  const document = await clinic.database.inTransaction((tx) =>
    storeFile(clinic.platform, tx, { ...picture, patientId, purpose: 'healthCard', now }),
  );
  const colleagues = [await aStaffMember(clinic, 'manager'), await aStaffMember(clinic, 'manager')];
  const reply = crypto.randomUUID();
  const patient = async () =>
    (await desk('deskOpenPatient', { params, body: look })).answer().extras;
  const account = async () => {
    const { formVersion: version, account: own, provider } = await patient();
    const block = { block: own?.block, ...(own?.blockReason && { reason: own.blockReason }) };
    return { version, stored: { ...own, providerId: provider?.id ?? null, block } };
  };

  const deskCorrectPatient: Form = {
    read: async () => {
      const { formVersion: version, firstName, lastName, birthDate, card } = await patient();
      const { number } = (await desk('deskShowCard', { params, body: look })).answer().extras;
      const own = { province: card.province, number };
      return { version, stored: { firstName, lastName, birthDate, card: own } };
    },
    save: (changes, { firstName, lastName, birthDate }, headers) => {
      const names = { firstName, lastName, birthDate };
      const body = { checked: 'photoIdSeen', ...names, ...changes };
      return saved(desk('deskCorrectPatient', { params, headers, body }));
    },
    values: {
      firstName: ['Quill', 'Quilla'],
      lastName: ['Zephyr', 'Zephira'],
      birthDate: ['1984-05-17', '1984-05-18'],
      card: [
        { province: 'BC', number: validBcNumber(7_001) },
        { province: 'BC', number: validBcNumber(7_002) },
      ],
    },
  };
  const deskChangePatient: Form = {
    read: account,
    save: (body, _, headers) => saved(desk('deskChangePatient', { params, headers, body })),
    values: {
      eligibility: ['NR', 'E'],
      providerId: ['101', null],
      withoutTypes: [['O', 'PP'], ['V']],
    },
  };
  const deskBlockPatient: Form = {
    read: account,
    save: ({ block }, _, headers) =>
      saved(desk('deskBlockPatient', { params, headers, body: block })),
    values: {
      block: [
        { block: 'booking', reason: 'Did not come' },
        { block: 'account', reason: 'Asked for it' },
      ],
    },
  };
  const deskDecideDocument: Form = {
    read: async () => {
      const found = (await patient()).documents.find(({ id }) => id === document);
      return { version: found?.formVersion, stored: { decision: found?.decision } };
    },
    save: ({ decision: kind }, _, headers) => {
      const body = { kind, ...(kind === 'refused' && { reason: 'Not readable' }) };
      return saved(desk('deskDecideDocument', { params: { id: document }, headers, body }));
    },
    values: { decision: ['accepted', 'refused'] },
  };
  const deskAssignMessage: Form = {
    read: async () => {
      const opened = await desk('deskOpenMessage', { params: { id: message } });
      const { formVersion: version, assignedTo } = opened.answer().extras.message;
      return { version, stored: { staffId: assignedTo?.id ?? null } };
    },
    save: (body, _, headers) =>
      saved(desk('deskAssignMessage', { params: { id: message }, headers, body })),
    values: { staffId: [colleagues[0]?.id, colleagues[1]?.id] },
  };
  const deskKeepReply: Form = {
    read: async () => {
      const { replies } = (await desk('deskSavedReplies', {})).answer().extras;
      const { formVersion: version, name, text } = replies.find(({ id }) => id === reply) ?? {};
      return { version, stored: { name: name ?? 'Hours', text: text ?? 'Until five.' } };
    },
    save: (changes, made, headers) => {
      const body = { ...made, ...changes };
      return saved(desk('deskKeepReply', { params: { id: reply }, headers, body }));
    },
    values: { name: ['Hours', 'Open'], text: ['Until six.', 'Until seven.'] },
  };
  const week = { providerId: '101' };
  const on = '2027-01-04';
  const days = olderForms.deskSaveWeek.fields;
  const deskSaveWeek: Form = {
    read: async () => {
      const shown = (await desk('deskWeek', { params: week, query: { on } })).answer().extras;
      const stored = Object.fromEntries(days.map((day, at) => [day, shown.week[at]]));
      return { version: shown.formVersion, stored };
    },
    save: async (changes, made, headers) => {
      const body = {
        validFrom: on,
        madeOn: on,
        week: days.map((day) => changes[day] ?? made[day]),
      };
      const preview = await desk('deskSaveWeek', { params: week, headers, body });
      if (preview.statusCode !== 200) return preview;
      const { version } = preview.answer().extras;
      return saved(desk('deskSaveWeek', { params: week, headers, body: { ...body, version } }));
    },
    values: Object.fromEntries(days.map((day) => [day, ['O'.repeat(288), 'P'.repeat(288)]])),
  };
  const day = { providerId: '101', date: '2027-01-05' };
  const deskSaveDay: Form = {
    read: async () => {
      const shown = (await desk('deskSingleDay', { params: day })).answer().extras;
      return { version: shown.formVersion, stored: { codes: shown.said } };
    },
    save: async (body, _, headers) => {
      const preview = await desk('deskSaveDay', { params: day, headers, body });
      if (preview.statusCode !== 200) return preview;
      const { version } = preview.answer().extras;
      return saved(desk('deskSaveDay', { params: day, headers, body: { ...body, version } }));
    },
    values: { codes: ['O'.repeat(288), 'P'.repeat(288)] },
  };
  const deskMaintenance: Form = {
    read: async () => {
      const { formVersion: version, maintenance } = (await desk('deskSetUp', {})).answer().extras;
      const message = maintenance?.message;
      return { version, stored: { maintenance: maintenance && { isOffline: true, message } } };
    },
    save: ({ maintenance }, _, headers) =>
      saved(desk('deskMaintenance', { headers, body: maintenance })),
    values: {
      maintenance: [
        { isOffline: true, message: 'Until noon.' },
        { isOffline: true, message: 'Until one.' },
      ],
    },
  };
  return {
    deskCorrectPatient,
    deskChangePatient,
    deskBlockPatient,
    deskDecideDocument,
    deskAssignMessage,
    deskKeepReply,
    deskSaveWeek,
    deskSaveDay,
    deskMaintenance,
  };
}
