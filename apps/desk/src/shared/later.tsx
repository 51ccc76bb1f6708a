import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { type ComponentType, lazy, useEffect, useState } from 'react';
import { t } from './words.ts';

/**
 * A part of the page whose code is fetched when it is first shown, or before that by `bring`; shown after that, it is
 * there at once. Where its code is missing, `Missing` stands in its place, and the rest of the page stays as it is.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType = MissingPart,
) {
  let here: ComponentType<Props> | undefined;
  const bring = async () => (here ??= await load());
  const waiting = () =>
    lazy<ComponentType<Props>>(async () => ({ default: await bring().catch(() => MissingOnce) }));
  let Waiting = waiting();
  function MissingOnce() {
    // It is gone before the part is shown the next time, which then fetches it again.
    useEffect(
      () => () => {
        Waiting = waiting();
      },
      [],
    );
    return <Missing />;
  }
  function Later(props: Props) {
    // Chosen once: another component in its place would lose what was typed in it.
    const [Part] = useState(() => here ?? Waiting);
    return <Part {...props} />;
  }
  return Object.assign(Later, { bring });
}

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
