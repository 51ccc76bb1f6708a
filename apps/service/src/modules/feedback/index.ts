export { registerFeedback } from './routes.ts';
export { messageContext, openPicture, readSuggestion, suggestionsForClinic } from './store.ts';
