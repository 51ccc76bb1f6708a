import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { figure } from './report.ts';
import type { Row } from './report.ts';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

const dist = fileURLToPath(new URL('../../apps/web/dist/', import.meta.url));

const ROUTES = [
  ['login', 110, ['src/features/sign-in/login-page.tsx', 'src/messages/en/auth.ts']],
  [
    'booking',
    170,
    [
      'src/app/patient-shell.tsx',
      'src/features/booking/booking-page.tsx',
      'src/messages/en/booking.ts',
      'src/messages/en/payment.ts',
    ],
  ],
] as const;

/** All that a route loads before it shows, each file compressed as it is sent. */
export function measurePageWeight(): Row[] {
  const path = `${dist}.vite/manifest.json`;
  if (!existsSync(path)) {
    console.log('     (the web app is not built: npm start builds it)');
    return [];
  }
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const scripts = ROUTES.map(([route, limit, pages]): Row => {
    const files = closure(manifest, ['index.html', ...pages]);
    const bytes = [...files].reduce((sum, file) => sum + gzipped(file), 0);
    return {
      name: `JavaScript of the ${route} route, gz`,
      ours: figure('kB', [bytes / 1000]),
      limit: { what: 'aim', value: limit },
      aim: 'under',
    };
  });
  const fonts = Object.values(manifest).filter(({ file }) => /\.(woff2|png|jpg|webp)$/.test(file));
  const fontBytes = fonts.reduce((sum, { file }) => sum + readFileSync(dist + file).length, 0);
  return [
    ...scripts,
    {
      name: 'fonts and images',
      ours: figure('kB', [fontBytes / 1000]),
      limit: { what: 'aim', value: 60 },
      aim: 'under',
    },
  ];
}

const gzipped = (file: string) => gzipSync(readFileSync(dist + file), { level: 9 }).length;

function closure(manifest: Manifest, entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const open = [...entries];
  const seen = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The built web app has no ${name}`);
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    open.push(...(chunk.imports ?? []));
  }
  return files;
}
