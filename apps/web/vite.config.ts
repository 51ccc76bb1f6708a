import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileMessages } from './build/compile-messages.ts';
import { preloadFont } from './build/preload-font.ts';

const service = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

const everyPageNeeds = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@lingui)/',
    'node_modules/@tanstack/(?!.*/(queriesObserver|useQueries))',
    'node_modules/lucide-react/dist/esm/(createLucideIcon|Icon|context|shared)',
    'web/src/app/(app|error-boundary|header|routes|shell)\\.',
    'web/src/api/(?!live|download|appointments|clinic-today)',
    'web/src/shared/(session/(?!maintenance|inactivity)|booking-link|shell/page|store)',
    'packages/ui/src/(button|class-names|page-states|skeleton|spinner|visually-hidden|words)\\.',
    'web/src/messages/(t|ui-words|en/shell)\\.',
    'contract/src/(client|routes)\\.',
    'preload-helper',
  ].join('|'),
);

const everyFormNeeds = /packages\/ui\/src\/(card|notice|field|text-field|input|error-summary)\./;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compileMessages(),
    preloadFont('atkinson-hyperlegible-next-latin-wght-normal'),
  ],
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
          ],
        },
      },
    },
    target: ['chrome111', 'firefox113', 'safari16.4'],
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
