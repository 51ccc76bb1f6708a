export { registerFeedback } from './routes.ts';
export { messageContext, screenshotContext } from './problem-reports.store.ts';
export { readSuggestion, suggestionsForClinic } from './suggestions.store.ts';
export type { Suggestion } from './suggestions.store.ts';
