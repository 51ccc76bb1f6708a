export { registerFeedback } from './routes.ts';
export { messageContext, screenshotContext } from './problem-reports.store.ts';
export { readSuggestion, suggestionsForClinic } from './read-suggestions.ts';
export type { Suggestion } from './read-suggestions.ts';
