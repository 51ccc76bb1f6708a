export { registerMedicalProfile } from './routes.ts';
export { LAST_PROFILE, eraseProfile, readProfile } from './store.ts';
