export {
  assignMessage,
  attachmentAtDesk,
  closeMessage,
  dropSavedReply,
  inboxAtDesk,
  keepSavedReply,
  latestMessages,
  savedReplies,
  noteBesideMessage,
  ownNotes,
  patientOfMessage,
  threadAtDesk,
} from './desk.ts';
export { type InboxPlace, inboxCounts, providersOf } from './desk.store.ts';
export { registerMessages } from './routes.ts';
export { LAST_MESSAGE, MESSAGES, eraseMessages } from './store.ts';
export {
  answerMessage,
  beginningOf,
  messageText,
  messagesForClinic,
  ownThreads,
  readForClinic,
} from './thread.ts';
