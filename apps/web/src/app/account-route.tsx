import { AccountPage } from '../features/account/account-page.tsx';
import { MessagesSection } from '../features/messages/messages-section.tsx';
import { MyDataSection } from '../features/account/my-data-section.tsx';

/** My Account, with the sections of other features between profile and password. */
export function AccountRoute() {
  return (
    <AccountPage>
      <MessagesSection />
      <MyDataSection />
    </AccountPage>
  );
}
