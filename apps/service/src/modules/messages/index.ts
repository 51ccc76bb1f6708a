export {
  type ClinicMessage,
  answerMessage,
  messagesForClinic,
  readForClinic,
} from './answer-message.ts';
export { messageText } from './message-text.ts';
export { type ShownThread, shownThread } from './read-thread.ts';
export { registerMessages } from './routes.ts';
