export { registerMessages } from './routes.ts';
export {
  answerMessage,
  messageText,
  messagesForClinic,
  ownThreads,
  readForClinic,
} from './thread.ts';
