import type { Call } from '@clinic/contract';
import type { InjectOptions } from 'light-my-request';
import { type AskOptions, requestOf } from '../../testing/index.ts';
import { REMOVED, spotsOf } from '../places.ts';

/** One way to spoil a request. */
export interface Spoiling {
  readonly name: string;
  /** A 200 would be a mistake; of the others some may turn out harmless. */
  readonly mustRefuse: boolean;
  /** The one status it must come back with. */
  readonly status?: number;
  readonly spoil: (request: AskOptions) => InjectOptions;
}

export const sent = (call: Call, options: AskOptions): InjectOptions => requestOf(call.id, options);

export const addressOf = ({ url }: InjectOptions): string => (typeof url === 'string' ? url : '');

/** The names of a call's query, headers or body, at the top. */
export const namesIn = (call: Call, part: string): readonly string[] =>
  spotsOf(call).flatMap(({ place }) => {
    const [head, name = '', ...deeper] = place.split('.');
    return head === part && deeper.length === 0 ? [name] : [];
  });

/** Short enough for the name of a failure. */
export function show(value: unknown): string {
  if (value === REMOVED) return 'missing';
  const json = JSON.stringify(value) ?? 'undefined';
  return json.length > 80 ? `${json.slice(0, 60)}… (${json.length})` : json;
}
