import { type Memory, secondsOf } from './memory.ts';

/** Login of the SOAP services, and the keys of the REST client that its clinic set up. */
export const credentials = {
  soap: { userName: 'booking', password: 'booking-password' },
  consumer: { key: 'fake-consumer', secret: 'fake-consumer-secret' },
  token: { key: 'fake-token', secret: 'fake-token-secret' },
  /** Whom the token acts as. */
  providerNo: '101',
  securityId: '7',
  /** Who logs in by SOAP. */
  loginNo: '200',
} as const;

/** A template of steps of this length, with this code from start to end. */
function templateOf(stepMinutes: number, parts: readonly (readonly [string, string, string])[]) {
  const steps = Array.from({ length: 1440 / stepMinutes }, () => '_');
  for (const [code, from, to] of parts) {
    const first = secondsOf(from) / 60 / stepMinutes;
    steps.fill(code, first, secondsOf(to) / 60 / stepMinutes);
  }
  return steps.join('');
}

export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const people = [
  ['Avery', 'Lindqvist', '9123456789', 'BC', 'AC', '101'],
  ['Zoë', 'Okafor', '9123456790', 'BC', 'AC', '102'],
  ['Noah', 'Tremblay', '9123456791', 'BC', 'IN', '1998'],
  ['Mina', 'Harcourt', '9123456792', 'BC', null, '103'],
  ['Ruth', 'Abernathy', '9123456793', 'CA-BC', 'AC', '1999'],
  ['Ruth', 'Abernathy', '9123456793', 'BC', 'MO', '1999'],
  ['Omar', 'Valdez', '9123456789', 'ON', 'AC', '104'],
  ['Iris', 'Novak', '91234567891', 'QC', 'AC', ''],
] as const;

/** A small clinic: three doctors who work on weekdays, one who left, and the rows that are no people. */
export function seed(memory: Memory, today: string): void {
  const providers = [
    ['101', 'Helen', 'Marchetti', '1'],
    ['102', 'Joseph', 'Iwu', '1'],
    ['103', 'Anna NP', 'Bergström', '1'],
    ['104', 'Paul', 'Retired', '0'],
    ['-1', 'system', 'system', '1', 'system'],
    ['999998', 'doctor', 'oscardoc', '1'],
    ['1998', 'Doctor', 'Elsewhere', '1'],
    ['1999', 'No', 'Doctor', '1'],
    ['200', 'Booking', 'Account', '1'],
  ] as const;
  for (const [providerNo, firstName, lastName, status, providerType = 'doctor'] of providers)
    memory.providers.push({ providerNo, firstName, lastName, status, providerType });

  for (const [firstName, lastName, hin, hcType, patientStatus, providerNo] of people)
    memory.demographics.push({
      demographicNo: memory.nextId(),
      firstName,
      lastName,
      sex: 'U',
      dobYear: '1988',
      dobMonth: '9',
      dobDay: '21',
      hin,
      hcType,
      providerNo,
      patientStatus,
      email: '',
      phone: '',
      address: { address: '', city: '', postal: '', province: '' },
      joined: today,
      lastUpdateUser: null,
    });

  for (const [code, description, duration, confirm] of [
    ['C', 'Clinic Appointment', '15', 'N'],
    ['C', 'Clinic Appointment, long', '30', 'N'],
    ['P', 'Phone', '', 'Day'],
    ['V', 'Vacation', '', 'N'],
  ] as const) {
    const id = memory.nextId();
    memory.codes.push({ id, code, description, duration, confirm, bookinglimit: 1 });
  }
  for (const [name, duration] of [
    ['Office Visit', 15],
    ['Phone', 10],
  ] as const)
    memory.types.push({ id: memory.nextId(), name, duration });

  memory.programs.push({ id: 10_034, name: 'OSCAR', programStatus: 'active' });

  const quarters = templateOf(15, [
    ['C', '09:00', '12:00'],
    ['P', '13:00', '15:00'],
  ]);
  const fives = templateOf(5, [['C', '08:30', '11:00']]);
  for (let day = 0; day < 28; day += 1) {
    const date = dateAfter(today, day);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    memory.templates.set(`101 ${date}`, quarters);
    memory.templates.set(`102 ${date}`, fives);
    memory.templates.set(`103 ${date}`, quarters);
  }
}
