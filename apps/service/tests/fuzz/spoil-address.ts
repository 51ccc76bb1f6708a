import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import type { InjectOptions } from 'light-my-request';
import { REMOVED, withValueAt } from '../places.ts';
import { type Spoiling, addressOf, namesIn, sent, show } from './spoiling.ts';
import { strangeAddressParts, strangeHeaderValues, strangeValues } from './strange-values.ts';

const STRANGE_QUERIES = ['&'.repeat(500), 'a'.repeat(5_000), '=', '%', '%zz=%zz', '?', 'a=b;c=d'];

/** Repeated keys, strange values, and what only looks like a query. */
export function spoilQuery(call: Call): fc.Arbitrary<Spoiling>[] {
  const names = namesIn(call, 'query');
  const added = (query: string, mustRefuse = false, without: readonly string[] = []): Spoiling => ({
    name: `?${show(query)}`,
    mustRefuse,
    spoil(request) {
      const bare = without.reduce(
        (left, name) => withValueAt(left, `query.${name}`, REMOVED),
        request,
      );
      const usual = sent(call, bare);
      const url = addressOf(usual);
      return { ...usual, url: `${url}${url.includes('?') ? '&' : '?'}${query}` };
    },
  });
  const known = names.length === 0 ? ['any'] : names;
  return [
    fc.constantFrom(...known).map((name) => added(`${name}=1&${name}=2`, names.length > 0)),
    fc
      .tuple(fc.constantFrom(...known, '__proto__', 'constructor', 'a[b]', ''), strangeAddressParts)
      .map(([name, value]) => added(`${name}=${value.replace('#', '')}`)),
    fc.constantFrom(...STRANGE_QUERIES).map((query) => added(query)),
    ...names.flatMap((name) => [
      strangeValues.map((value) => added(`${name}=${encoded(value)}`, false, [name])),
      fc.constantFrom('%00', 'a%00b').map((value) => added(`${name}=${value}`, true, [name])),
    ]),
  ];
}

const encoded = (value: unknown) =>
  encodeURIComponent(
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
  );

const USUAL_HEADERS = [
  'accept',
  'accept-encoding',
  'x-background',
  'if-none-match',
  'range',
  'origin',
];

export function spoilHeaders(call: Call): fc.Arbitrary<Spoiling>[] {
  const names = [...USUAL_HEADERS, 'host', 'x-forwarded-for', ...namesIn(call, 'headers')];
  return names.map((name) =>
    strangeHeaderValues.map((value) => ({
      name: `${name}: ${show(value)}`,
      mustRefuse: false,
      spoil(request) {
        const usual = sent(call, request);
        return { ...usual, headers: { ...usual.headers, [name]: value } };
      },
    })),
  );
}

const TAILS = ['/', '%00', '//', '/..', '/.', ';x', '%20', '/x', '?', '#x', '.json', '%2F'];
const METHODS = ['PATCH', 'OPTIONS', 'HEAD', 'PUT', 'DELETE', 'GET', 'POST'] as const;

/** The path itself, its parameters and the method. */
export function spoilPath(call: Call): fc.Arbitrary<Spoiling>[] {
  const spoiling = (name: string, over: Partial<InjectOptions>): Spoiling => ({
    name,
    mustRefuse: false,
    spoil: (request) => ({ ...sent(call, request), ...over }),
  });
  const at = (path: string) => spoiling(show(path), { url: `/api${path}` });
  return [
    fc.constantFrom(...TAILS).map((tail) => at(`${call.path}${tail}`)),
    fc.constantFrom(...METHODS).map((method) => spoiling(`by ${method}`, { method })),
    ...(call.params === undefined
      ? []
      : [strangeAddressParts.map((part) => at(call.path.replace(/:\w+/, part)))]),
  ];
}
