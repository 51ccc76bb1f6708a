import { loadMessages } from '../messages/t.ts';

/** The login page with its words. */
export async function loadLogin() {
  const [{ LoginPage }, { auth }] = await Promise.all([
    import('../features/sign-in/login-page.tsx'),
    import('../messages/en/auth.ts'),
  ]);
  await loadMessages({ auth });
  return LoginPage;
}
