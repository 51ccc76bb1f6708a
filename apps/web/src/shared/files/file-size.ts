import { formatNumber } from '@clinic/texts';
import { locale, t } from '../../messages/t.ts';
import './file-words.ts';

/** '640 KB' or '2.4 MB' in the units that patients know from their phones; '2,4 Mo' in French. */
export function fileSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000)
    return t('files.kilobytes', {
      size: formatNumber(locale(), Math.max(1, Math.round(kilobytes))),
    });
  return t('files.megabytes', { size: formatNumber(locale(), kilobytes / 1024, 1) });
}
