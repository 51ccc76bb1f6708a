/** The whole of what OSCAR answers for a row: most of it is columns that the stand-in keeps nothing in. */
import { type AppointmentRow, type DemographicRow, type ProviderRow, clock } from './memory.ts';
import { type Profile, instant, momentAt } from './profiles.ts';

const all = <Value>(value: Value, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

/** These columns of a row; null where it has none. */
const pick = (row: object, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, row[name as keyof typeof row] ?? null]));

const nowhere = all(null, 'province postal city address');

export function appointmentJson(profile: Profile, row: AppointmentRow) {
  const { date, start, end, createdAt, updatedAt, ...columns } = row;
  return {
    ...all(null, 'style billing importedStatus bookingSource demographic provider billingDetail'),
    ...columns,
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
  ...pick(row, 'providerNo lastName firstName'),
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
  ...(row.providerType !== 'system' &&
    all('', 'billingNo comments ohipNo practitionerNo providerActivity team')),
  specialty: '',
  sex: 'F',
  providerType: 'doctor',
  ...row,
});

const born = ({ dobYear, dobMonth, dobDay }: DemographicRow) => `${dobYear}-${dobMonth}-${dobDay}`;

/** Names come in capitals, as they stand in many clinics. */
const inCapitals = ({ firstName, lastName }: DemographicRow) => ({
  firstName: firstName.toUpperCase(),
  lastName: lastName.toUpperCase(),
});

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
    ...pick(row, 'demographicNo sex dobYear dobMonth dobDay hin hcType providerNo patientStatus'),
    ...pick(row, 'email phone lastUpdateUser'),
    ...inCapitals(row),
    dateOfBirth: Date.parse(`${born(row)}T07:00Z`),
    alternativePhone: row.phone2 ?? '',
    address: row.address ?? nowhere,
    previousAddress: nowhere,
    dateJoined: row.joined ? instant(profile, row.joined) : null,
    age: { days: 0, months: 0, years: 38 },
    activeCount: 0,
    hsAlertCount: 0,
    provider: doctor === undefined ? null : providerListed(doctor),
    lastUpdateDate: 0,
  };
}

/** A line of REST's search. */
export const demographicFound = (row: DemographicRow, doctor?: ProviderRow) => ({
  ...pick(row, 'demographicNo lastName firstName sex providerNo patientStatus phone hin'),
  chartNo: '',
  dob: Date.parse(`${born(row)}T07:00Z`),
  providerName: doctor === undefined ? null : `${doctor.lastName},${doctor.firstName}`,
  rosterStatus: '',
  remoteFacilityId: null,
  formattedDOB: born(row),
});

/** As SOAP has it: with the head of a chart that was merged, and without what is NULL. */
export const demographicXml = (profile: Profile, row: DemographicRow) => ({
  ...all('', 'alias cellPhone chartNo familyDoctor gender links phoneComment pronoun'),
  ...all('', 'rosterStatus sexDesc'),
  ...row.address,
  ...pick(row, 'demographicNo email hcType headRecord hin lastUpdateUser patientStatus phone'),
  ...pick(row, 'providerNo sex'),
  ...inCapitals(row),
  activeCount: 1,
  dateJoined: row.joined ? momentAt(profile, row.joined) : null,
  yearOfBirth: row.dobYear,
  monthOfBirth: row.dobMonth,
  dateOfBirth: row.dobDay,
  displayName: `${row.lastName}, ${row.firstName}`.toUpperCase(),
  hsAlertCount: 0,
  lastUpdateDate: momentAt(profile, '2001-01-01'),
  phone2: row.phone2 ?? '',
});

export const documentJson = (id: number, fileName: string, creator: string, now: number) => ({
  ...all('', 'docClass subClass description xml responsible source sourceFacility contentType'),
  ...all(null, 'reportMedia sentDateTime queue providerNo demographicNo fileContents'),
  ...all(now, 'updateDateTime contentDateTime observationDate'),
  ...all(-1, 'programId appointmentNo'),
  ...all(false, 'abnormal restrictToProgram'),
  id,
  type: 'others',
  fileName,
  creator,
  status: 'A',
  public1: 0,
  numberOfPages: 1,
  reviews: [],
});
