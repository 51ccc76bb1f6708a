import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { type Kind, type Operation, channels } from './server/observed.ts';

/** The kinds of operations that are traced, with their kinds of span in OpenTelemetry. */
const TRACED = {
  request: SpanKind.SERVER,
  job: SpanKind.INTERNAL,
  statement: SpanKind.CLIENT,
  emr: SpanKind.CLIENT,
  gateway: SpanKind.CLIENT,
  mail: SpanKind.CLIENT,
} as const satisfies Partial<Record<Kind, SpanKind>>;

/** Kinds that are traced only inside another operation, so that the clock's query makes no trace. */
const ONLY_INSIDE: ReadonlySet<Kind> = new Set(['statement']);

/** How long an unreachable collector delays the end of a process at most. */
const EXPORT_WITHIN_MS = 2_000;

export interface TracesOptions {
  /** The address of an OTLP/HTTP collector: `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Called when the collector did not take some spans; they are not sent again. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Traces observed operations. Each request and each job starts a trace: trace headers of browsers are
 * ignored. The names and attributes of a span are those of its operation.
 */
export function startTraces({ endpoint, onLost }: TracesOptions): {
  readonly close: () => Promise<void>;
} {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const otlp = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS });
  const exporter: SpanExporter = {
    export: (spans, done) =>
      otlp.export(spans, (result) => {
        if (result.error !== undefined) onLost(result.error);
        done(result);
      }),
    shutdown: () => otlp.shutdown(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'clinic-booking' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('clinic-booking');
  const inside = new AsyncLocalStorage<unknown>();
  const spans = new WeakMap<Operation, Span>();
  const stops: (() => void)[] = [];

  for (const kind of Object.keys(TRACED) as (keyof typeof TRACED)[]) {
    const { start, asyncEnd } = channels[kind];
    const begin = (operation: Operation): Context => {
      const parent = (inside.getStore() ?? ROOT_CONTEXT) as Context;
      if (parent === ROOT_CONTEXT && ONLY_INSIDE.has(kind)) return parent;
      const attributes = { 'clinic.operation': kind };
      const options = { kind: TRACED[kind], attributes };
      const span = tracer.startSpan(`${kind} ${operation.name}`, options, parent);
      spans.set(operation, span);
      return trace.setSpan(parent, span);
    };
    // `bindStore` has begun the operations that others run inside of; this begins the rest.
    const begun = (message: unknown) => {
      if (!spans.has(message as Operation)) begin(message as Operation);
    };
    const ended = (message: unknown) => {
      const { error, facts = {} } = message as Operation;
      const span = spans.get(message as Operation);
      span?.setAttributes(facts);
      if (error !== undefined) span?.setAttribute('error.type', nameOf(error));
      if (error !== undefined || Number(facts['http.response.status_code']) >= 500)
        span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    };
    start.bindStore(inside, begin);
    start.subscribe(begun);
    asyncEnd.subscribe(ended);
    stops.push(() => {
      start.unbindStore(inside);
      start.unsubscribe(begun);
      asyncEnd.unsubscribe(ended);
    });
  }

  return {
    async close() {
      for (const stop of stops) stop();
      await provider.shutdown().catch(onLost);
    },
  };
}

/** Only the name of an error: its message may quote a patient. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
