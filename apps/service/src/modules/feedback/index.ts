export { messageContext, screenshotContext } from './problem-reports.store.ts';
export { registerFeedback } from './routes.ts';
export { type Suggestion, readSuggestion, suggestionsForClinic } from './suggestions.store.ts';
