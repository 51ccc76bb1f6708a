import type { EmrBook } from '../appointments/index.ts';
import { nullOnFailure } from './emr-calls.ts';
import { confirmPaid, confirmReserved } from './confirm.ts';
import { emrHealth } from './health.ts';
import { cancelThroughEmr, cancelInEmr, cancelInEmrThenHere } from './cancel-in-emr.ts';

export const emrBook: EmrBook = {
  async whyBookingPaused(db, now) {
    const { isBookingPaused, kind } = await emrHealth(db, now);
    if (!isBookingPaused) return null;
    return kind === 'refused' ? 'clinicRefuses' : 'clinicUnreachable';
  },
  async confirm(ports, asked, now) {
    const { emr, oldAppointment: moves, patientId } = asked;
    const confirmed = await confirmReserved(ports, asked, now);
    if (moves !== null && confirmed.kind === 'rescheduled')
      await cancelInEmrThenHere(ports, emr, { ...moves, patientId, state: 'rescheduled' }, now);
    return confirmed;
  },
  confirmPaid,
  cancel: cancelThroughEmr,
  withdraw: (emr, id) => nullOnFailure(id, () => cancelInEmr(emr, id)),
};
