import { t } from '../messages/t.ts';
import { useConfig } from '../shared/api/config.ts';
import { useSession } from '../shared/session/session.ts';
import { ButtonLink } from '../shared/ui/button.tsx';
import { Card } from '../shared/ui/card.tsx';
import { Page } from '../shared/ui/page.tsx';
import styles from './not-open-page.module.css';

interface NotOpenPageProps {
  title: 'page.accountTitle' | 'page.registerTitle' | 'page.resetTitle';
}

/** A place that has its address already; until it opens, the clinic helps in person. */
export function NotOpenPage({ title }: NotOpenPageProps) {
  const config = useConfig();
  const signedIn = useSession().state === 'signedIn';
  return (
    <Page title={t(title)} lead={t('page.notOpen')}>
      {config && (
        <Card as="section" aria-labelledby="contact">
          <h2 id="contact" className={styles.heading}>
            {t('page.contact')}
          </h2>
          <dl className={styles.contact}>
            <div>
              <dt>{t('page.phone')}</dt>
              <dd>
                <a href={`tel:${config.clinicPhone}`}>{config.clinicPhone}</a>
              </dd>
            </div>
            <div>
              <dt>{t('page.email')}</dt>
              <dd>
                <a href={`mailto:${config.clinicEmail}`}>{config.clinicEmail}</a>
              </dd>
            </div>
            <div>
              <dt>{t('page.address')}</dt>
              <dd>{config.clinicAddress}</dd>
            </div>
          </dl>
        </Card>
      )}
      <div>
        <ButtonLink to={signedIn ? '/' : '/login'} variant="secondary">
          {t(signedIn ? 'page.toHome' : 'page.backToLogin')}
        </ButtonLink>
      </div>
    </Page>
  );
}
