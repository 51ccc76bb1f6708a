import { compileCatalogues } from '@clinic/texts/compile-catalogues';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileTranslations } from './build/compile-translations.ts';
import { compressAhead } from './build/compress-ahead.ts';
import { preloadFont } from './build/preload-font.ts';

const service = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

const standIns = `${import.meta.dirname}/src/shared/stand-ins`;

/** What index.html loads. */
const ofThePage = /^assets\/(core|index|rolldown-runtime)-/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compileCatalogues(/web\/src\/messages\/en\/[\w-]+\.ts$/),
    compileTranslations(),
    preloadFont('atkinson-hyperlegible-next-latin-wght-normal'),
    compressAhead(),
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
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The policy allows no data: fonts and no inline styles, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The page itself has named these.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !ofThePage.test(file)) : files,
    },
    rolldownOptions: {
      output: {
        // In one piece each, since split by page it would be larger and slower: what the first page
        // imports, and what all pages of patients import beyond it.
        codeSplitting: {
          groups: [
            { name: 'core', tags: ['$initial'] },
            { name: 'patient', test: 'app/patient-shell.tsx' },
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
