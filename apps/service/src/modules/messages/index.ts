export { messageText, messagesForClinic, shownThread } from './read-thread.ts';
export { registerMessages } from './routes.ts';
export { answerMessage, readForClinic, startMessage } from './write-message.ts';
