import type { Database } from '../database/db.ts';
import type { AppendAudit } from '../security/audit.store.ts';
import type { Keyring } from '../security/keyring.ts';
import type { Sessions } from '../security/sessions.store.ts';
import type { ServiceConfig } from './config.ts';
import type { ErrorReports, ReportedLog } from './log.ts';
import type { Clock, Ids } from './ports.ts';

/** What `server/` takes of the ports; `Platform` has them too. */
export interface ServerPorts {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: ReportedLog;
  readonly reports: ErrorReports;
  readonly sessions: Sessions;
  readonly appendAudit: AppendAudit;
}
