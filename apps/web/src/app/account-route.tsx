import { AccountPage } from '../features/account/account-page.tsx';
import { MessagesSection } from '../features/messages/messages-section.tsx';
import { MyDataSection } from '../features/my-data/my-data-section.tsx';

/** My Account with what other features have on it (R-80, S-15). */
export function AccountRoute() {
  return (
    <AccountPage>
      <MessagesSection />
      <MyDataSection />
    </AccountPage>
  );
}
