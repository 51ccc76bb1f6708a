import { compileCatalogues } from '@clinic/texts/compile-catalogues';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileTranslations } from './build/compile-translations.ts';
import { compressAhead } from './build/compress-ahead.ts';
import { preloadFont } from './build/preload-font.ts';

const service = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

const everyPageNeeds = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|wouter|regexparam|@lingui)/',
    'node_modules/@tanstack/(?!.*/(queriesObserver|useQueries))',
    'node_modules/lucide-react/dist/esm/(createLucideIcon|Icon|context|shared)',
    'web/src/app/(app|error-boundary|footer|header|routes|shell)\\.',
    'web/src/api/(?!live|download|appointments|until-known)',
    'web/src/shared/(pharmacies/pharmacies-query|session/(?!maintenance|inactivity)|booking-link|shell/page|store)',
    'packages/ui/src/(button|class-names|page-states|skeleton|spinner|visually-hidden|words)\\.',
    'web/src/messages/(t|en/shell)\\.',
    'contract/src/(client|routes)\\.',
    'preload-helper',
  ].join('|'),
);

const everyFormNeeds = new RegExp(
  [
    'packages/ui/src/(card|notice|field|text-field|input|error-summary|password-field|action-outcome)\\.',
    'domain/src/plain-text',
    'web/src/shared/(use-action|shell/button-link)',
  ].join('|'),
);

const everyPatientNeeds = new RegExp(
  [
    'web/src/app/patient-shell\\.',
    'web/src/api/(live|appointments|until-known)\\.',
    'contract/src/outcome\\.',
    'web/src/features/(feedback/suggestion-button|messages/messages-data)\\.',
    'web/src/shared/(clinic-words|unsettled-request|shell/alert-dialog)\\.',
    'web/src/messages/en/suggestion\\.',
    'packages/ui/src/(choice|dialog|radio-cards)\\.',
    'contract/src/texts/(index|changes)',
    'domain/src/(appointments/appointment|booking/(appointment-type|availability|choice)|fees/)',
    'lucide-react/dist/esm/icons/(bug|calendar-plus|calendar-range|chevron-right|credit-card|file-text|map-pin|phone|user-round)\\.',
  ].join('|'),
);

const everyStepNeeds =
  /features\/booking\/(journey|use-journey|appointment-summary|hold\/hold-calls|booking-data|slots\/slot-search)\./;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compileCatalogues(/web\/src\/messages\/en\/[\w-]+\.ts$/),
    compileTranslations(),
    preloadFont('atkinson-hyperlegible-next-latin-wght-normal'),
    compressAhead(),
  ],
  // React has had it since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The policy allows no data: fonts and no inline styles, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs, in one piece: split by page it would be larger and slower.
        codeSplitting: {
          groups: [
            { name: 'core', test: everyPageNeeds },
            { name: 'fields', test: everyFormNeeds },
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
