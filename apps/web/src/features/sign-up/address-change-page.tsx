import type { CallInput } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Redirect } from 'wouter';
import { messageOf } from '@clinic/app/api-error';
import { request } from '../../api/service.ts';
import { t } from '../../messages/t.ts';
import { PasteMailedLink } from '../../shared/confirmation/paste-mailed-link.tsx';
import { useMailedLink } from '../../shared/mailed-link.ts';
import { ClinicContact } from '../../shared/shell/clinic-contact.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import './register-words.ts';
import styles from './register.module.css';

type Answer = CallInput<'answerAddressChange'>['body']['answer'];

/** Opened from the mailbox of an account that gets, or got, another address; it names neither. */
export function AddressChangePage() {
  const { link, mended } = useMailedLink();
  if (mended !== null) return <Redirect to={mended} replace />;
  if (link === null)
    return (
      <Page title={t('register.changeTitle')} width="narrow" screen="notWhole">
        <Notice kind="danger" role="alert" unasked>
          <p>{t('register.notALink')}</p>
        </Notice>
        <Card>
          <PasteMailedLink />
        </Card>
      </Page>
    );
  return <AddressChange key={link.secret} token={link.secret} />;
}

function AddressChange({ token }: { token: string }) {
  const send = useAction({
    work: (answer: Answer) => request('answerAddressChange', { body: { token, answer } }),
  });
  const given = send.input ?? 'stop';
  if (send.done)
    return (
      <Page title={t('register.changeTitle')} width="narrow" screen="opened">
        <Notice kind="good" role="status">
          <p>{t(given === 'stop' ? 'register.changeStopped' : 'register.changeConfirmed')}</p>
          {given === 'stop' && <ClinicContact />}
        </Notice>
      </Page>
    );
  return (
    <Page
      title={t('register.changeTitle')}
      width="narrow"
      lead={t('register.changeAbout')}
      screen="link"
    >
      {send.error !== null && (
        <Notice kind="danger" role="alert">
          <p>{messageOf(send.error, t('register.linkFailed'), t('register.changeUnknown'))}</p>
          <ClinicContact />
        </Notice>
      )}
      <Card className={styles.done}>
        <Button
          wide
          busy={send.pending && given === 'stop'}
          busyLabel={t('register.linkOpening')}
          onClick={() => send.run('stop')}
        >
          {t('register.changeStop')}
        </Button>
        <Button
          wide
          variant="secondary"
          busy={send.pending && given === 'confirm'}
          busyLabel={t('register.linkOpening')}
          onClick={() => send.run('confirm')}
        >
          {t('register.changeConfirm')}
        </Button>
      </Card>
    </Page>
  );
}
