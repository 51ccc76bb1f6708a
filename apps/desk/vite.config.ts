import { fetchPartsFirst } from '@clinic/app/fetch-parts-first';
import { compileCatalogues } from '@clinic/texts/compile-catalogues';
import { compileTranslations } from '@clinic/texts/compile-translations';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { englishTexts } from './build/english-texts.ts';

const standIns = `${import.meta.dirname}/../../packages/app/src/stand-ins`;

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
    // Its parts have no effects of their own, which it does not say: what makes a passkey loads with the page that does.
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn/, sideEffects: false }] },
    },
    target: ['chrome120', 'firefox121', 'safari17'],
  },
});
