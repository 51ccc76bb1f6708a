import { LoadState } from '@clinic/app/outcome';
import type { ApiClinicText, ApiTextKind } from '@clinic/contract';
import { pathTo } from '@clinic/app/path-to';
import { deskPages } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import styles from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { locale, t } from '../../shared/words.ts';

export const textsQuery = queryOptions({
  queryKey: ['texts'],
  queryFn: async () => (await ask('deskTexts', {})).extras.texts,
});

/** The texts that patients agree to, with the current version of each. */
export function Texts() {
  const texts = useQuery(textsQuery);
  return (
    <Section title={t('desk.setUp.texts')} about={t('desk.setUp.textsAbout')}>
      <LoadState of={texts} />
      {texts.data && (
        <DataTable
          caption={t('desk.setUp.texts')}
          columns={[
            t('desk.setUp.text'),
            t('desk.setUp.version'),
            t('desk.setUp.since'),
            t('desk.setUp.actions'),
          ]}
          rows={texts.data.map(({ kind, ...version }) => (
            <tr key={kind}>
              <th scope="row">
                {t(`desk.setUp.text.${kind}`)}
                <div className={styles.soft}>{t(`desk.setUp.textWhen.${kind}`)}</div>
              </th>
              <td>{version.version}</td>
              <td>{sinceText(version)}</td>
              <td>
                <Link href={pathTo(deskPages.text, { kind })}>
                  {t('desk.setUp.changeOf', { text: t(`desk.setUp.text.${kind}`) })}
                </Link>
              </td>
            </tr>
          ))}
        />
      )}
    </Section>
  );
}

type Version = ApiClinicText['versions'][number];

export const sinceText = ({ since, by }: Pick<Version, 'since' | 'by'>): string =>
  since === null
    ? t('desk.setUp.ofProduct')
    : t('desk.setUp.sinceBy', { since: formatMoment(locale(), since), by: by ?? '' });

const KINDS: Readonly<Record<ApiTextKind, true>> = {
  feeWarning: true,
  icbc: true,
  general: true,
  signUp: true,
};
export const isTextKind = (kind: string): kind is ApiTextKind => Object.hasOwn(KINDS, kind);
