export { registerMessages } from './routes.ts';
export { LAST_MESSAGE, eraseMessages } from './store.ts';
export {
  answerMessage,
  messageText,
  messagesForClinic,
  ownThreads,
  readForClinic,
} from './thread.ts';
