import type { DatabaseClock } from './database/clock.store.ts';
import type { Platform } from './platform.ts';
import type { ReportedLog } from './server/log.ts';
import type { Settings } from './settings.ts';

export interface Watching {
  /** What is told here is counted too. */
  readonly log: ReportedLog;
  /** Answers Prometheus, from now on. */
  open(platform: Platform, clock: Pick<DatabaseClock, 'skew'>): Promise<void>;
  close(): Promise<void>;
}

/** Metrics and traces, as far as they are set up. It begins before what it watches is built. */
export async function startWatching(
  settings: Pick<Settings, 'METRICS_HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  log: ReportedLog,
): Promise<Watching> {
  const { METRICS_HOST: host, METRICS_PORT: port } = settings;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  const closings: (() => Promise<void> | void)[] = [];
  let counted = log;
  let open: Watching['open'] = () => Promise.resolve();
  if (endpoint !== undefined) {
    const { startTraces } = await import('./traces.ts');
    const onLost = (error: unknown) => log.error('traces-lost', error);
    closings.push(startTraces({ endpoint, onLost }).close);
  }
  if (port !== undefined) {
    const { createMetrics, serveMetrics } = await import('./metrics.ts');
    const { contentType, ...metrics } = createMetrics(log);
    counted = metrics.log;
    closings.push(metrics.close);
    open = async (platform, clock) => {
      const tell = () => metrics.tell(platform, clock);
      const server = await serveMetrics({ host, port }, { contentType, tell });
      closings.push(server.close);
    };
  }
  return {
    log: counted,
    open,
    close: async () => {
      for (const each of closings.toReversed()) await each();
    },
  };
}
