export { isFamilyDoctorAnswer, saidFamilyDoctor } from './family-doctor.ts';
export { registerAccount } from './routes.ts';
export { type PatientRow, patientOf } from './patients.store.ts';
