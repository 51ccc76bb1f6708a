import { pageLanguage } from '@clinic/app/language';
import { useStore } from '@clinic/app/store';
import { languages } from '@clinic/texts/languages';
import { Button } from '@clinic/ui/button';
import { Outcome, useAction } from './desk-action.tsx';
import { chooseLanguage } from './language.ts';

/** Every language, each in its own name. */
export function LanguageChoice() {
  const current = useStore(pageLanguage);
  const choose = useAction({ work: chooseLanguage });
  return (
    <div>
      {languages.map(({ id, name }) => (
        <Button
          key={id}
          variant={id === current ? 'secondary' : 'quiet'}
          lang={id}
          aria-pressed={id === current}
          onClick={() => choose.run(id)}
        >
          {name}
        </Button>
      ))}
      <Outcome of={choose} />
    </div>
  );
}
