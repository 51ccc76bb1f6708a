import { AccountPage } from '../features/account/account-page.tsx';
import { useUnreadMessages } from '../features/messages/messages-data.ts';
import { MessagesSection } from '../features/messages/messages-section.tsx';

/** My Account, with the messages of another feature as one of its views. */
export function AccountRoute() {
  return <AccountPage messages={<MessagesSection />} unread={useUnreadMessages()} />;
}
