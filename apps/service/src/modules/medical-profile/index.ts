export { registerMedicalProfile } from './routes.ts';
export { readProfile } from './profiles.store.ts';
