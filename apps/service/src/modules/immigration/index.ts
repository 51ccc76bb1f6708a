export { readProfile } from './profiles.store.ts';
export { registerMedicalProfile } from './routes.ts';
