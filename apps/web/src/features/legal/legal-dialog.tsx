import { Button } from '@clinic/ui/button';
import { LoadState } from '@clinic/app/outcome';
import { useQuery } from '@tanstack/react-query';
import type { ClinicConfig } from '@clinic/contract';
import { locale, t } from '../../messages/t.ts';
import { configQuery } from '../../api/config.ts';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
import { TextOfRecord } from '../../shared/text-of-record.tsx';
import styles from './legal.module.css';
import { legalText, type LegalKind, type LegalSection } from './legal-text.ts';

const kinds = ['terms', 'privacy', 'fees'] as const satisfies readonly LegalKind[];
const titles = { terms: 'shell.terms', privacy: 'shell.privacy', fees: 'shell.fees' } as const;

interface LegalDialogProps {
  kind: LegalKind;
  onSelect: (kind: LegalKind) => void;
  onClose: () => void;
}

/** The footer's three legal texts, each in a dialog that links to the others. */
export function LegalDialog({ kind, onSelect, onClose }: LegalDialogProps) {
  const config = useQuery(configQuery);
  return (
    <QuestionDialog
      key={kind}
      size="large"
      title={t(titles[kind])}
      yes={t('ui.close')}
      onClose={onClose}
      more={kinds
        .filter((other) => other !== kind)
        .map((other) => (
          <Button key={other} variant="quiet" onClick={() => onSelect(other)}>
            {t(titles[other])}
          </Button>
        ))}
    >
      <LoadState of={config} />
      {config.data && <LegalBody kind={kind} config={config.data} />}
    </QuestionDialog>
  );
}

function LegalBody({ kind, config }: { kind: LegalKind; config: ClinicConfig }) {
  const { version } = legalText(locale(), kind, config);
  return (
    <div className={styles.text}>
      <p className={styles.draft}>
        {t('legal.draft')}
        {version !== null && ` ${t('legal.version', { version })}`}
      </p>
      <TextOfRecord
        textIn={(language) =>
          legalText(language, kind, config).sections.map((section) => (
            <Section key={section.heading} section={section} />
          ))
        }
      />
    </div>
  );
}

function Section({ section: { heading, paragraphs, rows = [] } }: { section: LegalSection }) {
  return (
    <section className={styles.section}>
      <h3>{heading}</h3>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {rows.length > 0 && (
        <dl className={styles.rows}>
          {rows.map(({ what, fee }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{fee}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
