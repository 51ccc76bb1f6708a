export { registerAuth } from './routes.ts';
export { blockAccount, unblockAccount } from './block-account.ts';
export { dashboardSignature } from './dashboard-link.ts';
