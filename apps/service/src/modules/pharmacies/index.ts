export { pharmaciesFile } from './pharmacies-file.store.ts';
export { findPharmacy } from './pharmacies.store.ts';
export { registerPharmacies } from './routes.ts';
