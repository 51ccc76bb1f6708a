import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { t } from './words.ts';

/** Says that a part of the page could not be fetched, perhaps because of an upgrade since the page was opened. */
export function MissingPart({ title: Title = 'p' }: { title?: 'h1' | 'p' }) {
  return (
    <Notice kind="caution" role="alert">
      <Title>{t('desk.missing')}</Title>
      <p>{t('desk.missingWhy')}</p>
      {/* A form with something unsent has the browser ask first. */}
      <div>
        <Button variant="secondary" onClick={() => location.reload()}>
          {t('desk.reload')}
        </Button>
      </div>
    </Notice>
  );
}
