const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/csv': 'csv',
};
const LONGEST = 100;

/** What a patient called a file, to be shown as text: one line, no path, and our extension. */
export function shownName(given: string, mediaType: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const bare = last
    .replace(/\p{C}/gu, '')
    .replace(/\.[A-Za-z\d]{1,5}$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const stem = bare.slice(0, LONGEST).toWellFormed().replace(/^\.+/, '');
  return `${stem === '' ? 'file' : stem}.${extensionOf(mediaType)}`;
}

/** What a file is called when it is downloaded: ours altogether (S-4). */
export const downloadName = (purpose: string, mediaType: string): string =>
  `${purpose.replace(/[^\w-]/g, '')}.${extensionOf(mediaType)}`;

const extensionOf = (mediaType: string) => EXTENSIONS[mediaType] ?? 'bin';
