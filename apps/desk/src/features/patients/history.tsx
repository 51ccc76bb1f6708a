import { pathTo } from '@clinic/app/path-to';
import { deskPages, toClinic } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Link } from 'wouter';
import { DataTable } from '../../shared/data-table.tsx';
import { locale, t } from '../../shared/words.ts';
import type { Patient } from './patient-data.ts';

interface AppointmentsProps {
  caption: string;
  /** Text for a table without rows. */
  none: string;
  rows: Patient['appointments'];
}

export function Appointments({ caption, none, rows }: AppointmentsProps) {
  return (
    <DataTable caption={caption}>
      {rows.length > 0 && (
        <thead>
          <tr>
            <th scope="col">{t('desk.when')}</th>
            <th scope="col">{t('desk.type')}</th>
            <th scope="col">{t('desk.with')}</th>
            <th scope="col">{t('desk.status')}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ id, start, description, provider, state, movedTo }) => (
          <tr key={id}>
            <td>
              {state === 'cancelled' || state === 'rescheduled' ? (
                formatMoment(locale(), start)
              ) : (
                <Link
                  href={pathTo(deskPages.day, { date: toClinic(start).date }, { appointment: id })}
                >
                  {formatMoment(locale(), start)}
                </Link>
              )}
            </td>
            <td>{description}</td>
            <td>{provider ?? t('desk.withNobody')}</td>
            <td>
              {movedTo
                ? t('desk.movedTo', { when: formatMoment(locale(), movedTo) })
                : t(`desk.state.${state}`)}
            </td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td>{none}</td>
          </tr>
        )}
      </tbody>
    </DataTable>
  );
}

const CONSENTS = ['feeWarning', 'icbc', 'general', 'signUp'] as const;

function consentText(kind: string): string {
  const known = CONSENTS.find((each) => each === kind);
  return known === undefined ? kind : t(`desk.consent.${known}`);
}

export function Consents({ consents }: Pick<Patient, 'consents'>) {
  if (consents.length === 0) return <p>{t('desk.noConsents')}</p>;
  return (
    <DataTable
      caption={t('desk.consents')}
      showCaption
      columns={[
        t('desk.consentOf'),
        t('desk.when'),
        t('desk.consentVersion'),
        t('desk.consentHow'),
      ]}
    >
      <tbody>
        {consents.map(({ kind, version, at, readOutBy }) => (
          <tr key={`${kind} ${at} ${version}`}>
            <td>{consentText(kind)}</td>
            <td>{formatMoment(locale(), at)}</td>
            <td>{version}</td>
            <td>
              {readOutBy === null
                ? t('desk.consentOnline')
                : t('desk.consentReadOut', { name: readOutBy })}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
