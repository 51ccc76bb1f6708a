export { registerAgreements } from './routes.ts';
export { recordAgreement } from './agreements.store.ts';
