export { registerMedicalProfile } from './routes.ts';
export { readProfile } from './store.ts';
