import { NotOpenPage } from './not-open-page.tsx';

export { NotFoundPage } from './not-found-page.tsx';

// These have their addresses already; each opens with its own feature.
export const AccountPage = () => <NotOpenPage title="page.accountTitle" />;
export const RegisterPage = () => <NotOpenPage title="page.registerTitle" />;
export const ResetPasswordPage = () => <NotOpenPage title="page.resetTitle" />;
