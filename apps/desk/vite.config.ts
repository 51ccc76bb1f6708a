import { fetchPartsFirst } from '@clinic/app/fetch-parts-first';
import { compileCatalogues } from '@clinic/texts/compile-catalogues';
import { compileTranslations } from '@clinic/texts/compile-translations';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { englishTexts } from './build/english-texts.ts';

const standIns = `${import.meta.dirname}/../../packages/app/src/stand-ins`;

/** What the sign-in needs, and every page with it. */
const everyPageNeeds = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|wouter|regexparam|@tanstack)/',
    'desk/src/(messages/frame|app/pages-to-come)\\.',
    'desk/src/shared/(api|app|desk-action|language|language-choice|left-outcomes|missing-part|page|send-form|under-way|undo|words)\\.',
    'desk/src/features/sign-in/(passkeys|sign-in-page|use-proof)\\.',
    'packages/app/src/(api-error|drafts|form|language|later|outcome|service|store|use-action)\\.',
    'packages/ui/src/(button|class-names|field|input|notice|password-field|text-field|words)\\.',
    'domain/src/pages\\.',
  ].join('|'),
);

/** The front desk stands beside the patients' pages, under an address of its own. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/desk/',
  plugins: [
    compileCatalogues(/desk\/src\/messages\/(?!index)[\w-]+\.ts$/),
    compileTranslations({ parts: englishTexts, onEveryPage: ['frame', 'format'] }),
    fetchPartsFirst(),
    react(),
  ],
  // React has had it since version 18.
  resolve: {
    alias: [
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: `${standIns}/icon.ts` },
      { find: /^\.\/infiniteQueryBehavior\.js$/, replacement: `${standIns}/infinite-queries.ts` },
      { find: /^\.\/suspense\.js$/, replacement: `${standIns}/suspense.ts` },
    ],
  },
  build: {
    outDir: 'dist',
    // The build keeps the files of the release before for a day (tools/assets.mjs).
    emptyOutDir: false,
    // The policy allows no data: fonts and no inline styles, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Its parts have no effects of their own, which it does not say: what makes a passkey loads with the page that does.
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn/, sideEffects: false }] },
      // In one file: a page whose modules wait for their words is else cut into 23, which weigh 7 kB more.
      output: { codeSplitting: { groups: [{ name: 'core', test: everyPageNeeds }] } },
    },
    target: ['chrome120', 'firefox121', 'safari17'],
  },
});
