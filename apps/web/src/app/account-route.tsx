import { AccountPage } from '../features/account/account-page.tsx';
import { useUnreadMessages } from '../features/messages/messages-data.ts';
import { MessagesSection } from '../features/messages/messages-section.tsx';

/** My Account; its messages view comes from the messages feature. */
export function AccountRoute() {
  return <AccountPage messages={<MessagesSection />} unread={useUnreadMessages()} />;
}
