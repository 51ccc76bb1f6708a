/** The whole of what OSCAR answers for a row: most of it is columns that the stand-in keeps nothing in. */
import { type AppointmentRow, type DemographicRow, type ProviderRow, clock } from './memory.ts';
import { type Profile, instant, momentAt } from './profiles.ts';

const all = <Value>(value: Value, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

const nowhere = all(null, 'province postal city address');

export function appointmentJson(profile: Profile, row: AppointmentRow) {
  const { date, start, end, createdAt, updatedAt, ...columns } = row;
  return {
    ...all(null, 'style billing importedStatus bookingSource demographic'),
    ...columns,
    provider: null,
    billingDetail: null,
    appointmentDate: instant(profile, date),
    startTime: clock(start),
    endTime: clock(end),
    programId: 0,
    createDateTime: createdAt,
    updateDateTime: updatedAt,
  };
}

/** What schedule calls wrap their answer in. */
export const scheduling = (parts: Readonly<Record<string, unknown>>) => ({
  ...all(null, 'appointment statuses types reasons appointments'),
  ...parts,
});

/** In a list: as a provider of REST's own, whose type is the activity of another column. */
export const providerListed = (row: ProviderRow) => ({
  ...all('', 'comments billingNo team ohipNo specialty practitionerNo'),
  ...all(null, 'phone workPhone dob hsoNo rmaNo signedConfidentiality practitionerNoType'),
  ...all(null, 'email title lastUpdateUser'),
  providerNo: row.providerNo,
  lastName: row.lastName,
  firstName: row.firstName,
  name: `${row.lastName}, ${row.firstName}`,
  address: nowhere,
  enabled: row.status === '1',
  sex: 'F',
  providerActivity: activity(row),
  providerType: activity(row),
  lastUpdateDate: 0,
});

const activity = ({ providerType = 'doctor' }: ProviderRow) =>
  providerType === 'doctor' ? 'A' : '';

/** By its number: as the table has it. */
export const providerAlone = (row: ProviderRow) => ({
  ...all('', 'comments billingNo team ohipNo specialty practitionerNo'),
  ...all(null, 'phone workPhone address dob hsoNo rmaNo practitionerNoType email title'),
  signedConfidentiality: null,
  sex: 'F',
  providerActivity: activity(row),
  providerType: 'doctor',
  ...row,
});

export const providerXml = (row: ProviderRow) => ({
  ...(row.providerType === 'system'
    ? {}
    : all('', 'billingNo comments ohipNo practitionerNo providerActivity team')),
  specialty: '',
  sex: 'F',
  providerType: 'doctor',
  ...row,
});

const born = ({ dobYear, dobMonth, dobDay }: DemographicRow) => `${dobYear}-${dobMonth}-${dobDay}`;

/** Names come in capitals, as they stand in many clinics. */
export function demographicJson(profile: Profile, row: DemographicRow, doctor?: ProviderRow) {
  return {
    ...all('', 'rosterStatus sexDesc familyDoctor chartNo alias gender pronoun'),
    ...all('', 'cellPhone phoneComment'),
    ...all(null, 'patientStatusDate ver hcRenewDate pcnIndicator endDate effDate rosterDate'),
    ...all(null, 'rosterTerminationDate rosterTerminationReason links children sourceOfIncome'),
    ...all(null, 'citizenship sin anonymous spokenLanguage displayName title officialLanguage'),
    ...all(null, 'countryOfOrigin newsletter nurse resident alert midwife notes waitingListID'),
    ...all(null, 'waitingListNote onWaitingListSinceDate admissionProgramId middleNames'),
    ...all(null, 'genderId pronounId'),
    ...all([], 'demoContacts demoContactPros extras doctors nurses midwives referralDoctors'),
    ...all([], 'waitingListNames patientStatusList rosterStatusList allergies measurements'),
    ...all([], 'consultationRequests consultationResponses encounterNotes documents'),
    medicationSummary: [],
    demographicNo: row.demographicNo,
    firstName: row.firstName.toUpperCase(),
    lastName: row.lastName.toUpperCase(),
    sex: row.sex,
    dobYear: row.dobYear,
    dobMonth: row.dobMonth,
    dobDay: row.dobDay,
    dateOfBirth: Date.parse(`${born(row)}T07:00Z`),
    hin: row.hin,
    hcType: row.hcType,
    providerNo: row.providerNo,
    patientStatus: row.patientStatus,
    email: row.email,
    phone: row.phone,
    alternativePhone: row.phone2 ?? '',
    address: row.address ?? nowhere,
    previousAddress: nowhere,
    dateJoined: row.joined ? instant(profile, row.joined) : null,
    age: { days: 0, months: 0, years: 38 },
    activeCount: 0,
    hsAlertCount: 0,
    provider: doctor === undefined ? null : providerListed(doctor),
    lastUpdateUser: row.lastUpdateUser ?? null,
    lastUpdateDate: 0,
  };
}

/** A line of REST's search. */
export const demographicFound = (row: DemographicRow, doctor?: ProviderRow) => ({
  demographicNo: row.demographicNo,
  lastName: row.lastName,
  firstName: row.firstName,
  chartNo: '',
  sex: row.sex,
  dob: Date.parse(`${born(row)}T07:00Z`),
  providerNo: row.providerNo,
  providerName: doctor === undefined ? null : `${doctor.lastName},${doctor.firstName}`,
  rosterStatus: '',
  patientStatus: row.patientStatus,
  phone: row.phone,
  hin: row.hin,
  remoteFacilityId: null,
  formattedDOB: born(row),
});

/** As SOAP has it: with the head of a chart that was merged, and without what is NULL. */
export const demographicXml = (profile: Profile, row: DemographicRow) => ({
  ...all('', 'alias cellPhone chartNo familyDoctor gender links phoneComment pronoun'),
  ...all('', 'rosterStatus sexDesc'),
  ...row.address,
  activeCount: 1,
  dateJoined: row.joined ? momentAt(profile, row.joined) : null,
  dateOfBirth: row.dobDay,
  demographicNo: row.demographicNo,
  displayName: `${row.lastName}, ${row.firstName}`.toUpperCase(),
  email: row.email,
  firstName: row.firstName.toUpperCase(),
  hcType: row.hcType,
  headRecord: row.headRecord,
  hin: row.hin,
  hsAlertCount: 0,
  lastName: row.lastName.toUpperCase(),
  lastUpdateDate: momentAt(profile, '2001-01-01'),
  lastUpdateUser: row.lastUpdateUser,
  monthOfBirth: row.dobMonth,
  patientStatus: row.patientStatus,
  phone: row.phone,
  phone2: row.phone2 ?? '',
  providerNo: row.providerNo,
  sex: row.sex,
  yearOfBirth: row.dobYear,
});

export const documentJson = (id: number, fileName: string, creator: string, now: number) => ({
  ...all('', 'docClass subClass description xml responsible source sourceFacility'),
  ...all(null, 'reportMedia sentDateTime queue providerNo demographicNo fileContents'),
  ...all(now, 'updateDateTime contentDateTime observationDate'),
  ...all(-1, 'programId appointmentNo'),
  ...all(false, 'abnormal restrictToProgram'),
  id,
  type: 'others',
  fileName,
  creator,
  status: 'A',
  contentType: '',
  public1: 0,
  numberOfPages: 1,
  reviews: [],
});
