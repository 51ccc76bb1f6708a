export { registerAgreements } from './routes.ts';
