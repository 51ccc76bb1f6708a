export { answerMessage, messagesForClinic, readForClinic } from './answer-message.ts';
export type { ClinicMessage } from './answer-message.ts';
export { messageText } from './message-text.ts';
export { shownThread } from './read-thread.ts';
export type { ShownThread } from './read-thread.ts';
export { registerMessages } from './routes.ts';
