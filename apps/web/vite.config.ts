import { fetchPartsFirst } from '@clinic/app/fetch-parts-first';
import { compileCatalogues } from '@clinic/texts/compile-catalogues';
import { compileTranslations } from '@clinic/texts/compile-translations';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { englishTexts } from './build/english-texts.ts';
import { preloadFont } from './build/preload-font.ts';

const service = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

const standIns = `${import.meta.dirname}/../../packages/app/src/stand-ins`;

const everyPageNeeds = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|wouter|regexparam)/',
    'node_modules/@tanstack/(?!.*/(queriesObserver|useQueries))',
    'web/src/app/(app|error-boundary|footer|header|routes|shell)\\.',
    'packages/app/src/(api-error|clock|fetch-first|language|later|service)\\.',
    'web/src/api/(?!live|follow-changes|download|appointments|until-known)',
    'domain/src/(map-link|plain-text)',
    'web/src/shared/(captcha/use-captcha|pharmacies/pharmacies-query|session/(?!maintenance|inactivity)|booking-link|shell/(button-link|page)|use-action)',
    'packages/ui/src/(action-outcome|button|card|class-names|error-summary|field|input|notice|page-states|password-field|spinner|text-field|visually-hidden|words)\\.',
    'web/src/messages/(t|en/shell)\\.',
    'contract/src/(broke-off|client|routes)\\.',
    'packages/app/src/stand-ins/',
    'virtual:translations$',
  ].join('|'),
);

const everyPatientNeeds = new RegExp(
  [
    'web/src/app/patient-shell\\.',
    'web/src/api/(live|follow-changes|appointments|until-known)\\.',
    'contract/src/outcome\\.',
    'web/src/features/(feedback/suggestion-button|messages/messages-data)\\.',
    'web/src/shared/(appointment-length|clinic-words|patient-words|unsettled-request|shell/alert-dialog)\\.',
    'web/src/messages/en/(patient|suggestion)\\.',
    'packages/ui/src/(choice|dialog|radio-cards)\\.',
    'packages/app/src/path-to\\.',
    'contract/src/texts/(told-by-pages|changes)',
    'domain/src/(appointments/(appointment|cancellation-policy)\\.|booking/(appointment-type|doctor-choice)|fees/)',
    'lucide-react/dist/esm/icons/(bug|calendar-plus|calendar-range|chevron-right|credit-card|file-text|user-round)\\.',
  ].join('|'),
);

const everyStepNeeds =
  /features\/booking\/(journey|use-journey|appointment-summary|hold\/hold-calls|booking-data|slots\/slot-search)\./;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compileCatalogues(/web\/src\/messages\/en\/[\w-]+\.ts$/),
    compileTranslations({ parts: englishTexts, onEveryPage: ['shell', 'format'] }),
    fetchPartsFirst(),
    preloadFont('atkinson-hyperlegible-next-latin-wght-normal'),
  ],
  resolve: {
    alias: [
      // React has had it since version 18.
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
    manifest: true,
    sourcemap: false,
    // The policy allows no data: fonts and no inline styles, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Paths and other constants cost less where they are used than by a name.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // What pages share, in few pieces: with none of these groups login is 13 kB heavier and booking 20 kB, in 49
        // and 76 files in place of 5 and 12; without `patient` or `journey` booking is 2 kB heavier, above its limit.
        codeSplitting: {
          groups: [
            { name: 'core', test: everyPageNeeds },
            { name: 'patient', test: everyPatientNeeds },
            { name: 'journey', test: everyStepNeeds },
          ],
        },
      },
    },
    // What the code needs and nothing here rewrites: URL.canParse, and in styles :has().
    target: ['chrome120', 'firefox121', 'safari17'],
  },
  server: {
    port: 5173,
    proxy: {
      '/api': service,
      '/captcha': service,
      '/practice': service,
      '/socket.io': { target: service, ws: true },
    },
  },
});
