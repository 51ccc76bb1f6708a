import type { ApiTrailEntry } from '@clinic/contract';
import { isWholeDay } from '@clinic/domain';
import { formatDate, formatMoment, formatMoney } from '@clinic/texts';
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

/** Under which keys the words of a reason stand, by what was done. */
const REASONS: Readonly<Record<string, string>> = {
  'rules overridden': 'override',
  'fee waived': 'waive',
  'note of a fee struck': 'waive',
  'refund asked for': 'money.reason',
  'fee given back at the clinic': 'money.reason',
};

/** Under which keys the words of other values stand, by the names that the trail keeps. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  lookReason: ['look'],
  overrideReason: ['override'],
  means: ['means'],
  wantedBy: ['inbox'],
  whose: ['inbox.whose'],
  roles: ['setUp.role'],
  purpose: ['document'],
  outcome: ['call'],
  rules: ['audit.rule', 'rule'],
  code: ['rule'],
  by: ['audit.by'],
};
const MONEY: ReadonlySet<string> = new Set(['cents', 'oldCents', 'newCents']);
const TIMES: ReadonlySet<string> = new Set([
  'start',
  'movedFrom',
  'from',
  'to',
  'until',
  'waitsUntil',
]);
/** Instants of these years are whole numbers of seconds with so many digits. */
const INSTANT = /^\d{10}$/;

/** 'Reason: The patient called'. */
export function detailText(
  action: string,
  { name, value }: ApiTrailEntry['details'][number],
): string {
  const label = wordsOf(`desk.audit.detail.${name}`) ?? name;
  const kinds = name === 'reason' ? [REASONS[action] ?? ''] : (KINDS[name] ?? []);
  const said = partsOf(value).map((part) => {
    if (MONEY.has(name)) return formatMoney(locale(), Number(part));
    if (TIMES.has(name) && INSTANT.test(part)) return formatMoment(locale(), Number(part));
    return kinds.map((kind) => wordsOf(`desk.${kind}.${part}`)).find(Boolean) ?? inWords(part);
  });
  return `${label}: ${said.join('; ')}`;
}

/** The trail shows a list as JSON. A name may begin like one. */
function partsOf(value: string): readonly string[] {
  if (!value.startsWith('["')) return [value];
  try {
    return (JSON.parse(value) as readonly unknown[]).map(String);
  } catch {
    return [value];
  }
}
