import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileMessages } from './build/compile-messages.ts';
import { preloadFont } from './build/preload-font.ts';

const service = 'http://127.0.0.1:3000';

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
