/** What every group of calls works with. */
import type { Rest } from './rest.ts';
import type { Soap } from './soap.ts';
import type { Transport } from './transport.ts';

/** When OSCAR last took the login by SOAP and the token by REST; -Infinity before that, and once it refused. */
export type Proved = Record<'login' | 'token', number>;

/** What SOAP and REST have in common. */
export interface Way {
  readonly base: string;
  readonly transport: Transport;
  readonly urgent: boolean;
  readonly proved: Proved;
}

export interface Link extends Way {
  readonly rest: Rest;
  readonly soap: Soap;
  /** Until when REST is not asked to change a status, because it refused. */
  readonly refused: { until: number };
}
