import { useMutation } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../shared/api/api-error.ts';
import { request } from '../../shared/api/service.ts';
import { ResendConfirmation } from '../../shared/confirmation/resend-confirmation.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Page } from '../../shared/ui/page.tsx';
import './register-words.ts';
import styles from './register.module.css';

/** a page with a button, since the scanners of mail services follow links but press nothing. */
export function ConfirmPage() {
  const { token } = useParams();
  const confirm = useMutation({
    mutationFn: (link: string) => request('confirmEmail', { body: { token: link } }),
  });

  if (confirm.isSuccess)
    return (
      <Page title={t('register.confirmTitle')} width="narrow" screen="confirmed">
        <Notice kind="good" role="status">
          <p>{t('register.confirmed')}</p>
        </Notice>
        <ButtonLink to="/login" wide>
          {t('register.logIn')}
        </ButtonLink>
      </Page>
    );
  const failure = confirm.error;
  const refused = failure instanceof ApiError && !failure.unreachable && failure.status < 500;
  const words = t(refused ? 'register.notConfirmed' : 'register.confirmFailed');
  const spent = token === undefined || (refused && failure.status !== 429);
  return (
    <Page
      title={t('register.confirmTitle')}
      width="narrow"
      lead={t(token === undefined ? 'register.confirmIntroNone' : 'register.confirmIntro')}
      screen="confirm"
    >
      {failure && (
        <Notice kind="danger" role="alert">
          <p>{messageOf(failure, words)}</p>
        </Notice>
      )}
      {spent ? (
        <>
          <ButtonLink to="/login" variant="secondary" wide>
            {t('register.logIn')}
          </ButtonLink>
          <Card className={styles.done}>
            <ResendConfirmation />
          </Card>
        </>
      ) : (
        <Button
          wide
          busy={confirm.isPending}
          busyLabel={t('register.confirming')}
          onClick={() => confirm.mutate(token)}
        >
          {t('register.confirm')}
        </Button>
      )}
    </Page>
  );
}
