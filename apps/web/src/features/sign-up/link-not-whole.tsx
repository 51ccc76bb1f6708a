import { patientPages } from '@clinic/domain';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { t } from '../../messages/t.ts';
import { PasteMailedLink } from '../../shared/confirmation/paste-mailed-link.tsx';
import { ResendConfirmation } from '../../shared/confirmation/resend-confirmation.tsx';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Page } from '../../shared/shell/page.tsx';
import './register-words.ts';
import styles from './register.module.css';

/** For an address that lost its secret on the way: the link can be pasted, or mailed again. */
export function LinkNotWhole({ title }: { title: string }) {
  return (
    <Page title={title} width="narrow" screen="notWhole">
      <Notice kind="danger" role="alert" unasked>
        <p>{t('register.notALink')}</p>
      </Notice>
      <LinkAgain />
      <ButtonLink to={patientPages.login} variant="secondary" wide>
        {t('register.logIn')}
      </ButtonLink>
    </Page>
  );
}

/** A field to paste a mailed link into, and the way to have it mailed again, to its address alone. */
export function LinkAgain() {
  return (
    <>
      <Card>
        <PasteMailedLink />
      </Card>
      <Card className={styles.done}>
        <ResendConfirmation />
      </Card>
    </>
  );
}
