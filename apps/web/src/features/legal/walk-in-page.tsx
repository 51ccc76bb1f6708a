import { patientPages } from '@clinic/domain';
import { Card } from '@clinic/ui/card';
import { LoadState } from '@clinic/app/outcome';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../../messages/en/pages.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { ClinicWords } from '../../shared/clinic-words.tsx';
import { configQuery } from '../../api/config.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Page } from '../../shared/shell/page.tsx';
import styles from './walk-in.module.css';

await loadMessages({ pages });

/** The walk-in hours, from the clinic's configuration. */
export function WalkInPage() {
  const config = useQuery(configQuery);
  return (
    <Page title={t('walkIn.title')} lead={t('walkIn.intro')}>
      <LoadState of={config} />
      {config.data && (
        <Card>
          <table className={styles.hours}>
            <thead>
              <tr>
                <th scope="col">{t('walkIn.days')}</th>
                <th scope="col">{t('walkIn.hours')}</th>
              </tr>
            </thead>
            <tbody>
              {config.data.walkInHours.map(({ days, hours }) => (
                <tr key={days + hours}>
                  <th scope="row">
                    <ClinicWords>{days}</ClinicWords>
                  </th>
                  <td>
                    <ClinicWords>{hours}</ClinicWords>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
      <p>{t('walkIn.advice')}</p>
      <p>{t('walkIn.book')}</p>
      <div>
        <ButtonLink to={patientPages.booking} variant="secondary">
          {t('shell.tabBook')}
        </ButtonLink>
      </div>
    </Page>
  );
}
