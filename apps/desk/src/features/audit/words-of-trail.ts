import type { ApiTrailEntry } from '@clinic/contract';
import { isWholeDay } from '@clinic/domain';
import { formatDate, formatMoment } from '@clinic/texts';
import { locale, wordsOf } from '../../shared/words.ts';

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** 'Appointment opened'. */
export const actionText = (action: string): string =>
  wordsOf(`desk.audit.action.${action}`) ?? capital(action);

/** A day as people write it: a hyphen would break it in two lines. */
const inWords = (text: string): string => (isWholeDay(text) ? formatDate(locale(), text) : text);

/** 'Robin Lee', 'Morgan, Casey', 'Command line (desk)'. */
export function actorText({ kind, id, name }: ApiTrailEntry['actor']): string {
  if (name !== null) return name;
  const words = wordsOf(`desk.audit.kind.${kind}`) ?? capital(kind);
  return id === null || kind === 'staff' || kind === 'patient' ? words : `${words} (${id})`;
}

/** 'Appointment of Morgan, Casey, Mon Nov 23 2026 08:05'. */
export function subjectText({ subject, start }: ApiTrailEntry): string {
  const { kind, id, name } = subject;
  const words = wordsOf(`desk.audit.kind.${kind}`) ?? capital(kind);
  const isId = id === null || id === 'all' || /^[\da-f-]{36}$/.test(id);
  const parts = [
    name === null && !isId ? `${words} ${inWords(id)}` : words,
    ...(name === null ? [] : [name]),
    ...(start === null ? [] : [formatMoment(locale(), start)]),
  ];
  return parts.join(', ');
}

/** 'Reason: The patient called'. */
export function detailText({ name, value }: ApiTrailEntry['details'][number]): string {
  const label = wordsOf(`desk.audit.detail.${name}`) ?? name;
  const kinds = name === 'lookReason' ? ['look'] : ['override', 'means'];
  const said = kinds.map((kind) => wordsOf(`desk.${kind}.${value}`)).find(Boolean);
  return `${label}: ${said ?? inWords(value)}`;
}
