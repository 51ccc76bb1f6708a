import type { ApiDaySheet, ApiSheetAppointment } from '@clinic/contract';

type Provider = ApiDaySheet['providers'][number];
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A column of the sheet: the day of a provider between two hours. */
export interface SheetColumn extends Span {
  readonly id: string;
  readonly name: string;
  /** Where its name leads, and what that is. */
  readonly href: string;
  readonly leadsTo: string;
  /** It is today's, among other days. */
  readonly isMarked?: boolean | undefined;
  readonly provider: Provider;
}

/** What stands in a column, in order of time. */
export type Line = Span &
  (
    | { readonly kind: 'appointment'; readonly appointment: ApiSheetAppointment }
    /** Closed, by a closing where it says which. */
    | { readonly kind: 'closed'; readonly closing?: string }
    /** Outside the provider's hours, or taken in the EMR alone. */
    | { readonly kind: 'outside' | 'busy' }
    /** `isOver` where it has passed; without types where the service does not say them. */
    | { readonly kind: 'free'; readonly isOver: boolean; readonly types?: readonly string[] }
  );

interface Sheet {
  readonly from: number;
  readonly to: number;
  /** What is over is not free. */
  readonly freeFrom: number;
}

/** The lines of a provider's column. */
export function linesOf(provider: Provider, { from, to, freeFrom }: Sheet): Line[] {
  const { appointments, closed, busy, closings = [], open } = provider;
  const at = <Of extends Span>(spans: readonly Of[] | undefined, instant: number) =>
    spans?.find(({ start, end }) => start <= instant && instant < end);
  const taken = [...appointments, ...closed, ...busy];
  const edges = [freeFrom, ...edgesOf(open?.filter(({ types }) => types.length === 0) ?? [])];
  return [
    ...appointments.map((appointment): Line => ({
      ...spanOf(appointment),
      kind: 'appointment',
      appointment,
    })),
    ...busy.map((span): Line => ({ ...span, kind: 'busy' })),
    ...closed
      .flatMap((span) => cut(span, edgesOf(closings)))
      .map((span): Line => {
        const by = at(closings, span.start);
        return by ? { ...span, kind: 'closed', closing: by.id } : { ...span, kind: 'outside' };
      }),
    ...gapsIn({ start: from, end: to }, taken)
      .flatMap((span) => cut(span, edges))
      .map((span): Line => {
        const types = at(open, span.start)?.types;
        return { ...span, kind: 'free', isOver: span.end <= freeFrom, ...(types && { types }) };
      }),
  ].toSorted((one, other) => one.start - other.start || one.end - other.end);
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });
const edgesOf = (spans: readonly Span[]) => spans.flatMap(({ start, end }) => [start, end]);

/** What is not taken. */
function gapsIn({ start: from, end: to }: Span, taken: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let start = from;
  for (const span of taken.toSorted((one, other) => one.start - other.start)) {
    if (span.start > start) gaps.push({ start, end: Math.min(span.start, to) });
    start = Math.max(start, span.end);
  }
  if (to > start) gaps.push({ start, end: to });
  return gaps.filter(({ start: begin, end }) => end > begin);
}

/** The pieces of a span between the edges in it. */
function cut({ start, end }: Span, edges: readonly number[]): Span[] {
  const inside = edges.filter((edge) => edge > start && edge < end);
  const all = [...new Set([start, ...inside, end])].toSorted((one, other) => one - other);
  return all.slice(1).map((to, before) => ({ start: all[before] ?? start, end: to }));
}
