import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run ui`: the page that shows each control in each state. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { port: 5174, open: true },
});
