export { registerFeedback } from './routes.ts';
export { messageContext, screenshotContext } from './problem-reports.store.ts';
