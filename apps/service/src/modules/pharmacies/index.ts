export { registerPharmacies } from './routes.ts';
export { findPharmacy } from './pharmacies.store.ts';
