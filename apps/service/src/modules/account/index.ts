export { registerAccount } from './routes.ts';
export { type PatientRow, patientOf } from './patients.store.ts';
