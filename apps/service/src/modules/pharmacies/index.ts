export { registerPharmacies } from './routes.ts';
export { findPharmacy, pharmaciesFile } from './store.ts';
