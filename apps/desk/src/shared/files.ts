import { formatNumber } from '@clinic/texts';
import { saveFile } from '@clinic/ui/save-file';
import { locale, t } from './words.ts';

/** '640 KB', '2.4 MB'. */
export function fileSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? t('desk.kilobytes', { size: formatNumber(locale(), Math.max(1, Math.round(kilobytes))) })
    : t('desk.megabytes', { size: formatNumber(locale(), kilobytes / 1024, 1) });
}

/** Saves a table that the service answered with, for a spreadsheet. */
export const saveTable = ({ name, csv }: { readonly name: string; readonly csv: string }): void =>
  saveFile(new Blob([csv], { type: 'text/csv' }), name);
