export { registerFeedback } from './routes.ts';
export {
  LAST_SUGGESTION,
  SUGGESTIONS,
  eraseSuggestions,
  messageContext,
  ownPicture,
  ownSuggestions,
  readSuggestion,
  suggestionsForClinic,
} from './store.ts';
