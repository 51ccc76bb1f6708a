import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import '../fonts.css';
import '../tokens.css';
import '../reset.css';
import { SkipLink } from '../skip-link.tsx';
import { UiWordsProvider } from '../words.tsx';
import { Figures } from './chart-states.tsx';
import { Choices, Dates } from './choice-states.tsx';
import styles from './controls-page.module.css';
import { Dialogs, Messages, Waiting } from './message-states.tsx';
import { Buttons, Fields } from './field-states.tsx';
import { plainWords } from './words.ts';

/** How the page can be looked at: what stands after `?`. */
const ways = [
  ['Light', 'theme=light'],
  ['Dark', 'theme=dark'],
  ['Text of 200 %', 'theme=light&text=200'],
  ['From the right', 'theme=light&dir=rtl'],
] as const;

const asked = new URLSearchParams(location.search);
const html = document.documentElement;
html.dataset.theme = asked.get('theme') ?? 'light';
html.dir = asked.get('dir') ?? 'ltr';
if (asked.get('text') === '200') html.style.fontSize = '212.5%';

const sections: readonly (readonly [string, () => ReactNode])[] = [
  ['Buttons', Buttons],
  ['Fields', Fields],
  ['Choices', Choices],
  ['Dates and steps', Dates],
  ['Figures', Figures],
  ['Messages', Messages],
  ['Waiting and empty', Waiting],
  ['Dialogs', Dialogs],
];

function ControlsPage() {
  return (
    <UiWordsProvider words={plainWords}>
      <SkipLink targetId="controls">Skip to the controls</SkipLink>
      <main id="controls" tabIndex={-1} className={styles.page}>
        <h1>Controls</h1>
        <nav aria-label="How to look at them" className={styles.ways}>
          {ways.map(([name, way]) => (
            <a
              key={way}
              href={`?${way}`}
              aria-current={location.search === `?${way}` ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        {sections.map(([name, States]) => (
          <section key={name} aria-label={name} className={styles.states}>
            <h2>{name}</h2>
            <States />
          </section>
        ))}
      </main>
    </UiWordsProvider>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the controls');
createRoot(root).render(
  <StrictMode>
    <ControlsPage />
  </StrictMode>,
);
