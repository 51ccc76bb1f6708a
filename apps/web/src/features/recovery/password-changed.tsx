import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { t } from '../../messages/t.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Page } from '../../shared/ui/page.tsx';

/** §9. */
export const COUNTDOWN_SECONDS = 5;

/** Success, and by itself to the login. */
export function PasswordChanged() {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, []);

  if (left <= 0) return <Navigate to="/login" replace />;
  return (
    <Page title={t('recovery.doneTitle')} width="narrow" screen="changed">
      <Notice kind="good" role="status">
        <p>{t('recovery.done')}</p>
      </Notice>
      <p>{t('recovery.countdown', { left })}</p>
      <ButtonLink to="/login" replace wide>
        {t('recovery.toLogin')}
      </ButtonLink>
    </Page>
  );
}
