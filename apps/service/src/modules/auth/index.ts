export { registerAuth } from './routes.ts';
export { dashboardSignature } from './dashboard-link.ts';
