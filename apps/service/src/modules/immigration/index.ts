export { registerMedicalProfile } from './routes.ts';
export { LAST_PROFILE, MEDICAL_PROFILES, eraseProfile, readProfile } from './store.ts';
