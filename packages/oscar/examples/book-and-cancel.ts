// A booking and its cancellation. npm run oscar:fake answers at the address below.
import { appointmentType, createOscar, demographicNo, providerNo } from '@clinic/oscar';

const [, , base = 'http://127.0.0.1:8090/oscar', date = '2026-11-24'] = process.argv;

const oscar = createOscar({
  base,
  rest: {
    consumer: { key: 'fake-consumer', secret: 'fake-consumer-secret' },
    token: { key: 'fake-token', secret: 'fake-token-secret' },
  },
  soap: { userName: 'booking', password: 'booking-password' },
});

const doctor = providerNo('101');
const template = await oscar.dayTemplate(doctor, date);
const taken = await oscar.appointments({ providers: [doctor], from: date, to: date });
process.stdout.write(`${template?.steps.length ?? 0} steps, ${taken.length} appointments\n`);

const answer = await oscar.book({
  key: 'example-1',
  providerNo: doctor,
  demographicNo: demographicNo('1'),
  patient: { firstName: 'Avery', lastName: 'Lindqvist' },
  span: { date, start: '09:00', end: '09:15' },
  type: appointmentType('Office Visit'),
  reason: 'Flu',
});
process.stdout.write(`${answer.kind}\n`);
if (answer.kind === 'booked') {
  const isDone = await oscar.cancelAppointment(answer.no);
  process.stdout.write(isDone ? 'cancelled\n' : 'staff were faster\n');
}
