import { NotOpenPage } from './not-open-page.tsx';

export { NotFoundPage } from './not-found-page.tsx';

// It has its address already and opens with its own feature.
export const AccountPage = () => <NotOpenPage title="page.accountTitle" />;
